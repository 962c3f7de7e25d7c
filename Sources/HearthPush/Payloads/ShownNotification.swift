import HearthWire

/// What a phone shows. Localisation keys are looked up in the app's texts; a key without one is shown
/// with its arguments.
struct ShownNotification: Sendable {
  private(set) var title: String?
  private(set) var body: String?
  private(set) var image: String?
  /// Keys that nothing was found for, and why.
  private(set) var unresolved: [String] = []

  /// The platform is what all devices run that the message reaches; nil where they differ, or are not
  /// known. Then the first platform that has a text counts.
  init(_ message: JSONObject, texts: AppTexts, platform: PushDevice.Platform?) {
    let parts = Self.parts(of: message, platform: platform)
    title = line("title", of: parts, texts: texts)
    body = line("body", of: parts, texts: texts)
    image = parts.lazy.compactMap { $0.json["image"]?.string }.first
  }

  /// Whether any platform has a key in place of a text.
  static func needsTexts(_ message: JSONObject) -> Bool {
    parts(of: message, platform: nil).contains { part in
      [part.keys("title"), part.keys("body")].contains { part.json[$0.key] != nil }
    }
  }

  /// A notification as one platform writes it.
  private struct Part {
    let json: JSON
    /// What looks up its keys. Nil for the common notification and the web's, which have none.
    var platform: AppTexts.Platform?

    func keys(_ name: String) -> (key: String, arguments: String) {
      if platform == .android { return ("\(name)_loc_key", "\(name)_loc_args") }
      return name == "title" ? ("title-loc-key", "title-loc-args") : ("loc-key", "loc-args")
    }
  }

  private static func parts(of message: JSONObject, platform: PushDevice.Platform?) -> [Part] {
    let common = message["notification"].map { Part(json: $0) }
    let newer = message["android_v2"]?["remote_notification"]?["notification"]
    let android = (message["android"]?["notification"] ?? newer).map {
      Part(json: $0, platform: .android)
    }
    let alert = message["apns"]?["payload"]?["aps"]?["alert"]
    let apple = alert.map {
      Part(json: $0.string.map { .members(["body": .string($0)]) } ?? $0, platform: .ios)
    }
    let web = message["webpush"]?["notification"].map { Part(json: $0) }
    let parts: [Part?] =
      switch platform {
      case .android: [android, common]
      case .ios: [apple, common]
      case .web: [web, common]
      case nil: [common, android, apple, web]
      }
    return parts.compactMap(\.self)
  }

  private mutating func line(_ name: String, of parts: [Part], texts: AppTexts) -> String? {
    for part in parts {
      if let text = part.json[name]?.string { return text }
      let (keyName, argumentsName) = part.keys(name)
      guard let platform = part.platform, let key = part.json[keyName]?.string else { continue }
      let arguments = (part.json[argumentsName]?.array ?? []).map { $0.string ?? $0.text }
      switch texts.text(key, arguments: arguments, on: platform) {
      case .text(let text): return text
      case .missing(let reason):
        unresolved.append("\(keyName): \(reason)")
        return arguments.isEmpty ? key : "\(key)(\(arguments.joined(separator: ", ")))"
      }
    }
    return nil
  }

  var json: JSON? {
    guard title != nil || body != nil || image != nil else { return nil }
    return .members([
      "title": title.map(JSON.string), "body": body.map(JSON.string),
      "image": image.map(JSON.string),
      "unresolved": unresolved.isEmpty ? nil : .strings(unresolved),
    ])
  }
}
