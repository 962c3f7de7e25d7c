import HearthTime
import HearthWire

/// What a message is for each platform: its common parts, and the platform's own over them.
struct PushPayloads: Sendable {
  let message: PushMessage
  let id: String
  let time: Timestamp

  init(_ message: PushMessage, id: String, at time: Timestamp) {
    self.message = message
    self.id = id
    self.time = time
  }

  var json: JSONObject {
    JSONObject([
      "message": .object(message.json), "android": .object(android), "apns": .object(apple),
      "webpush": .object(web),
    ])
  }

  // MARK: Android

  var android: JSONObject {
    let newer = message.json["android_v2"]?.object
    let own = newer ?? message.json["android"]?.object ?? JSONObject()
    var payload = own
    if newer == nil { payload["priority"] = own["priority"] ?? "NORMAL" }
    payload["ttl"] = own["ttl"] ?? "2419200s"
    payload["data"] = own["data"] ?? message.json["data"]
    // A message for work in the background shows nothing.
    payload["notification"] =
      own["background_sync"] == nil
      ? merged(own["remote_notification"]?["notification"] ?? own["notification"]) : nil
    return payload
  }

  /// The common notification, and a platform's own over it.
  private func merged(_ own: JSON?) -> JSON? {
    guard message.json["notification"] != nil || own != nil else { return nil }
    var notification = message.json["notification"]?.object ?? JSONObject()
    notification.merge(own?.object ?? JSONObject())
    return .object(notification)
  }

  // MARK: Apple

  /// Headers, and the payload as APNs gets it.
  var apple: JSONObject {
    let own = message.json["apns"]
    var headers = own?["headers"]?.object ?? JSONObject()
    let payload = applePayload
    let isQuiet = payload["aps"]?["alert"] == nil
    if headers["apns-priority"] == nil { headers["apns-priority"] = isQuiet ? "5" : "10" }
    if headers["apns-push-type"] == nil {
      headers["apns-push-type"] = isQuiet ? "background" : "alert"
    }
    return JSONObject(["headers": .object(headers), "payload": .object(payload)])
  }

  private var applePayload: JSONObject {
    let own = message.json["apns"]
    var payload = own?["payload"]?.object ?? JSONObject()
    var aps = payload["aps"]?.object ?? JSONObject()
    if aps["alert"] == nil, let common = message.json["notification"] {
      let alert = JSONObject(["title": common["title"], "body": common["body"]])
      if !alert.isEmpty { aps["alert"] = .object(alert) }
    }
    let image = own?["fcm_options"]?["image"] ?? message.json["notification"]?["image"]
    if let image {
      aps["mutable-content"] = 1
      payload["fcm_options"] = .members(["image": image])
    }
    if aps["alert"] == nil, aps["content-available"] == nil, !message.data.isEmpty {
      aps["content-available"] = 1
    }
    payload["aps"] = .object(aps)
    for (key, value) in message.data where payload[key] == nil { payload[key] = .string(value) }
    payload["gcm.message_id"] = .string(id)
    return payload
  }

  // MARK: The web

  /// The text that a service worker of the SDK gets.
  var web: JSONObject {
    let own = message.json["webpush"]
    var data = message.json["data"]?.object ?? JSONObject()
    data.merge(own?["data"]?.object ?? JSONObject())
    let link = own?["fcm_options"]?["link"]
    let label = own?["fcm_options"]?["analytics_label"]
    let topic: String? = if case .topic(let name) = message.target { name } else { nil }
    return JSONObject([
      "notification": webNotification(own?["notification"]),
      "data": data.isEmpty ? nil : .object(data),
      "fcmOptions": link == nil && label == nil
        ? nil : .members(["link": link, "analyticsLabel": label]),
      "from": .string(topic.map { "/topics/\($0)" } ?? "123456789012"),
      "fcmMessageId": .string(id),
      "collapse_key": "do_not_collapse",
      "productId": 1,
    ])
  }

  private func webNotification(_ own: JSON?) -> JSON? {
    guard var notification = merged(own)?.object else { return nil }
    if let image = notification["image"], own?["icon"] == nil, own?["image"] == nil {
      notification["image"] = image
    }
    return .object(notification)
  }
}
