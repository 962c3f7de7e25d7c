package import HearthOperations

/// Cloud Messaging: at the hosts of Google, at the port of Auth, and what steers it.
package enum PushRoutes {
  package static let all: [Route] =
    messaging(at: "/fcm.googleapis.com") + messaging(at: "") + instances(at: "/iid.googleapis.com")
    + instances(at: "") + registrations + control

  private static let project = "/v1/projects/{targetProjectId}"

  private static func messaging(at host: String) -> [Route] {
    let topics = host + project + "/registrations/{registration}/topicSubscriptions"
    return [
      bearer("POST", host + project + "/messages:send", "fcm.send", SendPush.self),
      bearer("POST", topics, "fcm.topics.create", CreateTopicSubscription.self),
      bearer("GET", topics, "fcm.topics.list", body: .none, ListTopicSubscriptions.self),
      bearer("GET", topics + "/{topic}", "fcm.topics.get", body: .none, GetTopicSubscription.self),
      bearer("PATCH", topics + "/{topic}", "fcm.topics.update", UpdateTopicSubscription.self),
      bearer(
        "DELETE", topics + "/{topic}", "fcm.topics.delete", body: .none,
        DeleteTopicSubscription.self),
    ]
  }

  /// Where topics were managed before 2026, and are by most SDKs.
  private static func instances(at host: String) -> [Route] {
    [
      bearer("POST", host + "/iid/v1:batchAdd", "iid.batchAdd", BatchAddTopics.self),
      bearer("POST", host + "/iid/v1:batchRemove", "iid.batchRemove", BatchRemoveTopics.self),
      bearer(
        "GET", host + "/iid/info/{registration}", "iid.info", body: .none, GetInstance.self),
    ]
  }

  private static let web =
    "/fcmregistrations.googleapis.com/v1/projects/{targetProjectId}/registrations"

  /// The web SDK's own.
  private static let registrations: [Route] = [
    Route(
      "POST", web, "fcm.registrations.create", .keyOnly, body: .verbatim,
      .operation(CreateWebRegistration.self)),
    Route(
      "PATCH", web + "/{registration}", "fcm.registrations.update", .keyOnly, body: .verbatim,
      .operation(UpdateWebRegistration.self)),
    Route(
      "DELETE", web + "/{registration}", "fcm.registrations.delete", .keyOnly,
      .operation(DeleteWebRegistration.self)),
  ]

  private static let devices = "/emulator/v1/projects/{targetProjectId}/devices"
  private static let json = Route.Body.json(message: nil)

  private static let control: [Route] = [
    Route("GET", devices, "hearth.devices.list", .control, .operation(ListDevices.self)),
    Route(
      "POST", devices, "hearth.devices.register", .control, body: json,
      .operation(RegisterDevice.self)),
    Route("DELETE", devices, "hearth.devices.clear", .control, .operation(ClearDevices.self)),
    Route(
      "GET", devices + "/{registration}", "hearth.devices.get", .control,
      .operation(GetDevice.self)),
    Route(
      "PATCH", devices + "/{registration}", "hearth.devices.update", .control, body: json,
      .operation(RegisterDevice.self)),
    Route(
      "DELETE", devices + "/{registration}", "hearth.devices.delete", .control,
      .operation(DeleteDevice.self)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}/messages/{messageId}/payload/{form}",
      "hearth.messages.payload", .control, query: [.init("bundle"), .init("package")],
      .operation(GetPayload.self)),
  ]

  private static func bearer(
    _ method: String, _ template: String, _ id: String, body: Route.Body = .verbatim,
    _ operation: any Operation.Type
  ) -> Route {
    Route(method, template, id, .bearer, body: body, .operation(operation))
  }
}
