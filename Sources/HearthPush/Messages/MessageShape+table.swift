/// The messages of version 1 of Cloud Messaging.
/// https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
extension MessageShape {
  static let request = MessageShape(
    "SendMessageRequest", fields: ["message": .message(message), "validate_only": .bool])

  static let message = MessageShape(
    "Message",
    fields: [
      "name": .string, "data": .stringMap, "notification": .message(notification),
      "android": .message(android), "android_v2": .message(newerAndroid),
      "webpush": .message(webpush),
      "apns": .message(apns), "fcm_options": .message(options), "fid": .string, "token": .string,
      "topic": .string, "condition": .string,
    ])

  private static let notification = MessageShape(
    "Notification", fields: ["title": .string, "body": .string, "image": .string])

  private static let options = MessageShape("FcmOptions", fields: ["analytics_label": .string])

  private static let android = MessageShape(
    "AndroidConfig",
    fields: [
      "collapse_key": .string,
      "priority": .names(["NORMAL", "HIGH"], type: "AndroidMessagePriority"),
      "ttl": .duration, "restricted_package_name": .string, "data": .stringMap,
      "notification": .message(androidNotification), "fcm_options": .message(options),
      "direct_boot_ok": .bool, "bandwidth_constrained_ok": .bool,
      "restricted_satellite_ok": .bool,
    ])

  private static let newerAndroid = MessageShape(
    "AndroidConfigV2",
    fields: [
      "collapse_key": .string, "ttl": .duration, "restricted_package_name": .string,
      "data": .stringMap, "fcm_options": .message(options), "direct_boot_ok": .bool,
      "bandwidth_constrained_ok": .bool, "restricted_satellite_ok": .bool,
      "remote_notification": .message(
        MessageShape(
          "AndroidRemoteNotification",
          fields: [
            "notification": .message(newerNotification), "mutable_content": .bool,
            "use_as_v1_data_message": .bool,
          ])),
      "background_sync": .message(MessageShape("AndroidBackgroundSyncMessage", fields: [:])),
    ])

  private static let newerNotification = MessageShape(
    "AndroidNotificationV2",
    fields: androidNotification.fields.filter {
      !["proxy", "bypass_proxy_notification"].contains($0.key)
    }.merging(["id": .integer]) { $1 })

  private static let androidNotification = MessageShape(
    "AndroidNotification",
    fields: [
      "title": .string, "body": .string, "icon": .string, "color": .string, "sound": .string,
      "tag": .string, "click_action": .string, "body_loc_key": .string,
      "body_loc_args": .strings, "title_loc_key": .string, "title_loc_args": .strings,
      "channel_id": .string, "ticker": .string, "sticky": .bool, "event_time": .time,
      "local_only": .bool,
      "notification_priority": .names(
        ["UNSPECIFIED", "MIN", "LOW", "DEFAULT", "HIGH", "MAX"].map { "PRIORITY_" + $0 },
        type: "NotificationPriority"),
      "default_sound": .bool, "default_vibrate_timings": .bool, "default_light_settings": .bool,
      "vibrate_timings": .durations,
      "visibility": .names(
        ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"], type: "Visibility"),
      "notification_count": .integer, "light_settings": .message(light), "image": .string,
      "proxy": .names(
        ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"], type: "Proxy"),
      "bypass_proxy_notification": .bool,
    ])

  private static let light = MessageShape(
    "LightSettings",
    fields: [
      "color": .message(
        MessageShape(
          "Color", fields: ["red": .number, "green": .number, "blue": .number, "alpha": .number])),
      "light_on_duration": .duration, "light_off_duration": .duration,
    ])

  private static let webpush = MessageShape(
    "WebpushConfig",
    fields: [
      "headers": .stringMap, "data": .stringMap, "notification": .object,
      "fcm_options": .message(
        MessageShape("WebpushFcmOptions", fields: ["link": .string, "analytics_label": .string])),
    ])

  private static let apns = MessageShape(
    "ApnsConfig",
    fields: [
      "headers": .stringMap, "payload": .object,
      "fcm_options": .message(
        MessageShape("ApnsFcmOptions", fields: ["analytics_label": .string, "image": .string])),
      "live_activity_token": .string,
    ])
}
