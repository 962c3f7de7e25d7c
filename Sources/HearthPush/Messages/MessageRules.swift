import HearthErrors
import HearthWire

/// What production asks of the values of a message.
enum MessageRules {
  private static let mostBytes = 4_096
  private static let mostTopicBytes = 2_048
  private static let longestLife: Double = 2_419_200

  static func check(_ message: PushMessage) throws(APIError) {
    let json = message.json
    guard json["name"] == nil || json["name"]?.string?.isEmpty == true else {
      throw refusal("message.name", text: "The name of a message is output only.")
    }
    guard json["android"] == nil || json["android_v2"] == nil else {
      throw refusal(
        "message.android_v2", text: "android and android_v2 cannot be set at the same time.")
    }
    for (path, map) in [
      ("message.data", json["data"]), ("message.android.data", json["android"]?["data"]),
      ("message.android_v2.data", json["android_v2"]?["data"]),
    ] {
      for (key, _) in map?.object?.members ?? [] where isReserved(key) {
        throw refusal(path, text: "Invalid data payload key: \(key)")
      }
    }
    try checkAndroid(
      json["android"], at: "message.android", notification: json["android"]?["notification"])
    try checkNewerAndroid(json["android_v2"])
    try checkWeb(json["webpush"])
    try checkApple(json["apns"])
    try checkLabels(json)
    try checkSize(message)
  }

  private static func isReserved(_ key: String) -> Bool {
    ["from", "message_type"].contains(key) || key.hasPrefix("google") || key.hasPrefix("gcm")
  }

  private static func checkAndroid(
    _ android: JSON?, at path: String, notification: JSON?
  ) throws(APIError) {
    if let text = android?["ttl"]?.string, let life = PushDuration(text),
      !(0...longestLife).contains(life.seconds)
    {
      throw refusal(
        "\(path).ttl", text: "Invalid time-to-live: it must be from 0 to 2419200 seconds.")
    }
    if let color = notification?["color"]?.string, !isColor(color) {
      throw refusal(
        "\(path).notification.color", text: "Invalid color: it must have the form #rrggbb.")
    }
    for (name, key) in [("title_loc_args", "title_loc_key"), ("body_loc_args", "body_loc_key")]
    where notification?[name]?.array?.isEmpty == false && notification?[key] == nil {
      throw refusal("\(path).notification.\(name)", text: "\(name) needs \(key).")
    }
    if let light = notification?["light_settings"],
      let missing = ["color", "light_on_duration", "light_off_duration"].first(where: {
        light[$0] == nil
      })
    {
      throw refusal(
        "\(path).notification.light_settings.\(missing)",
        text: "Invalid light settings: \(missing) is required.")
    }
    for part in ["red", "green", "blue", "alpha"] {
      guard let value = notification?["light_settings"]?["color"]?[part] else { continue }
      let number: Double? =
        switch value {
        case .int(let whole): Double(whole)
        case .double(let number): number
        default: nil
        }
      guard let number, (0...1).contains(number) else {
        throw refusal(
          "\(path).notification.light_settings.color",
          text: "Invalid color: \(part) must be from 0 to 1.")
      }
    }
  }

  private static func checkNewerAndroid(_ android: JSON?) throws(APIError) {
    guard android?["remote_notification"] == nil || android?["background_sync"] == nil else {
      throw refusal(
        "message.android_v2",
        text: "remote_notification and background_sync cannot be set at the same time.")
    }
    try checkAndroid(
      android, at: "message.android_v2",
      notification: android?["remote_notification"]?["notification"])
  }

  private static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.hasPrefix("#")
      && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  private static func checkWeb(_ webpush: JSON?) throws(APIError) {
    guard let link = webpush?["fcm_options"]?["link"]?.string, !link.isEmpty else { return }
    guard link.hasPrefix("https://") || isLocal(link) else {
      throw refusal("message.webpush.fcm_options.link", text: "The link must be an HTTPS URL.")
    }
  }

  /// Pages under development are at such addresses.
  private static func isLocal(_ link: String) -> Bool {
    let start = "http://localhost"
    guard link.hasPrefix(start) else { return false }
    return link.dropFirst(start.count).first.map { ":/?#".contains($0) } ?? true
  }

  private static func checkApple(_ apns: JSON?) throws(APIError) {
    guard let aps = apns?["payload"]?["aps"] else { return }
    guard let aps = aps.object else {
      throw refusal("message.apns.payload.aps", text: "The aps member must be an object.")
    }
    if let badge = aps["badge"], badge.integer == nil || badge.string != nil {
      throw refusal(
        "message.apns.payload.aps.badge", text: "Invalid value: badge must be a number.")
    }
    switch aps["alert"] {
    case nil, .string?, .object?: break
    default: throw refusal("message.apns.payload.aps.alert", text: "Invalid value for alert.")
    }
  }

  private static func checkLabels(_ json: JSONObject) throws(APIError) {
    let places = [
      ("message", json["fcm_options"]), ("message.android", json["android"]?["fcm_options"]),
      ("message.android_v2", json["android_v2"]?["fcm_options"]),
      ("message.apns", json["apns"]?["fcm_options"]),
      ("message.webpush", json["webpush"]?["fcm_options"]),
    ]
    for (path, options) in places {
      guard let label = options?["analytics_label"]?.string, !label.isEmpty else { continue }
      guard label.utf8.count <= 50, TopicName.isValid(label) else {
        throw refusal(
          "\(path).fcm_options.analytics_label",
          text: "Invalid analytics label: it must match ^[a-zA-Z0-9-_.~%]{1,50}$.")
      }
    }
  }

  /// Keys and values of what the app gets. The platforms' own parts count where they are largest.
  private static func checkSize(_ message: PushMessage) throws(APIError) {
    let json = message.json
    let common = ["data", "notification"].map { weight(json[$0]) }.reduce(0, +)
    let own = [
      weight(json["android"]?["data"]) + weight(json["android"]?["notification"]),
      weight(json["android_v2"]?["data"]) + weight(json["android_v2"]?["remote_notification"]),
      weight(json["apns"]?["payload"]),
      weight(json["webpush"]?["data"]) + weight(json["webpush"]?["notification"]),
    ]
    let most = message.isForTopics ? mostTopicBytes : mostBytes
    guard common + (own.max() ?? 0) <= most else {
      throw refusal("message", text: "Message is too big: the payload has more than \(most) bytes.")
    }
  }

  private static func weight(_ value: JSON?) -> Int {
    switch value {
    case nil, .null?: 0
    case .string(let text)?: text.utf8.count
    case .object(let object)?:
      object.members.reduce(0) { $0 + $1.key.utf8.count + weight($1.value) }
    case .array(let values)?: values.reduce(0) { $0 + weight($1) }
    case .bool?, .int?, .double?: 4
    }
  }

  /// As production writes it: its own code beside the field.
  private static func refusal(_ field: String, text: String) -> APIError {
    APIError(.invalidArgument, message: text).with(
      details: .members([
        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
        "errorCode": "INVALID_ARGUMENT",
      ]),
      .members([
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": [
          .members(["field": .string(field), "description": .string(text)])
        ],
      ]))
  }
}
