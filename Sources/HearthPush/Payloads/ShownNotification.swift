import HearthWire

/// What a phone shows. A localisation key without the app's texts is shown with its arguments.
struct ShownNotification: Sendable {
  var title: String?
  var body: String?
  var image: String?

  init(_ message: JSONObject) {
    let common = message["notification"]
    let android = message["android"]?["notification"]
    let alert = message["apns"]?["payload"]?["aps"]?["alert"]
    let web = message["webpush"]?["notification"]
    title =
      common?["title"]?.string ?? Self.text(
        android, name: "title", key: "title_loc_key", arguments: "title_loc_args")
      ?? Self.text(alert, name: "title", key: "title-loc-key", arguments: "title-loc-args")
      ?? web?["title"]?.string
    body =
      common?["body"]?.string ?? Self.text(
        android, name: "body", key: "body_loc_key", arguments: "body_loc_args")
      ?? Self.text(alert, name: "body", key: "loc-key", arguments: "loc-args") ?? alert?.string
      ?? web?["body"]?.string
    image = common?["image"]?.string ?? android?["image"]?.string ?? web?["image"]?.string
  }

  /// `KEY(first, second)` where there is a key and no text.
  private static func text(
    _ object: JSON?, name: String, key: String, arguments: String
  ) -> String? {
    if let text = object?[name]?.string { return text }
    guard let key = object?[key]?.string else { return nil }
    let values = (object?[arguments]?.array ?? []).map { $0.string ?? $0.text }
    return values.isEmpty ? key : "\(key)(\(values.joined(separator: ", ")))"
  }

  var json: JSON? {
    guard title != nil || body != nil || image != nil else { return nil }
    return .members([
      "title": title.map(JSON.string), "body": body.map(JSON.string),
      "image": image.map(JSON.string),
    ])
  }
}
