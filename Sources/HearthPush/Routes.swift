package import HearthOperations

/// Cloud Messaging: at the hosts of Google, at the port of Auth, and what steers it.
package enum PushRoutes {
  package static let all: [Route] =
    messaging(at: "/fcm.googleapis.com") + messaging(at: "") + retired
    + instances(at: "/iid.googleapis.com")
    + instances(at: "") + registrations + installations + control

  private static let project = "/v1/projects/{targetProjectId}"

  private static func messaging(at host: String) -> [Route] {
    let topics = host + project + "/registrations/{registration}/topicSubscriptions"
    return [
      bearer(
        "POST", template: host + project + "/messages:send", id: "fcm.send",
        api: .messaging, operation: SendPush.self),
      bearer(
        "POST", template: topics, id: "fcm.topics.create", api: .messaging,
        operation: CreateTopicSubscription.self),
      bearer(
        "GET", template: topics, id: "fcm.topics.list", body: .none,
        api: .messaging, operation: ListTopicSubscriptions.self),
      bearer(
        "GET", template: topics + "/{topic}", id: "fcm.topics.get", body: .none,
        api: .messaging, operation: GetTopicSubscription.self),
      bearer(
        "PATCH", template: topics + "/{topic}", id: "fcm.topics.update",
        api: .messaging, operation: UpdateTopicSubscription.self),
      bearer(
        "DELETE", template: topics + "/{topic}", id: "fcm.topics.delete", body: .none,
        api: .messaging, operation: DeleteTopicSubscription.self),
    ]
  }

  /// Where topics were managed before 2026, and are by most SDKs.
  private static let retired = ["/batch", "/fcm/send"].map { path in
    Route(
      "POST", template: "/fcm.googleapis.com" + path,
      id: "fcm" + path.replacing("/fcm", with: "").replacing("/", with: ".") + ".retired",
      credential: .open, body: .file, action: .operation(RetiredSend.self))
  }

  private static func instances(at host: String) -> [Route] {
    [
      bearer(
        "POST", template: host + "/iid/v1:batchAdd", id: "iid.batchAdd",
        api: .instanceID, operation: BatchAddTopics.self),
      bearer(
        "POST", template: host + "/iid/v1:batchRemove", id: "iid.batchRemove",
        api: .instanceID, operation: BatchRemoveTopics.self),
      bearer(
        "GET", template: host + "/iid/info/{registration}", id: "iid.info", body: .none,
        api: .instanceID, operation: GetInstance.self),
    ]
  }

  private static let web =
    "/fcmregistrations.googleapis.com/v1/projects/{targetProjectId}/registrations"

  /// The web SDK's own.
  private static let registrations: [Route] = [
    Route(
      "POST", template: web, id: "fcm.registrations.create", credential: .keyOnly, body: .verbatim,
      action: .operation(CreateWebRegistration.self)),
    Route(
      "PATCH", template: web + "/{registration}", id: "fcm.registrations.update",
      credential: .keyOnly, body: .verbatim, action: .operation(UpdateWebRegistration.self)),
    Route(
      "DELETE", template: web + "/{registration}", id: "fcm.registrations.delete",
      credential: .keyOnly, action: .operation(DeleteWebRegistration.self)),
  ]

  private static let installed =
    "/firebaseinstallations.googleapis.com/v1/projects/{targetProjectId}/installations"

  /// The SDK for iOS ends the address of a new one with a slash.
  private static let installations: [Route] = [
    installation("POST", template: installed, id: "create", operation: CreateInstallation.self),
    installation(
      "POST", template: installed + "/", id: "create", operation: CreateInstallation.self),
    installation(
      "PATCH", template: installed + "/{installation}", id: "update",
      operation: UpdateInstallation.self),
    installation(
      "DELETE", template: installed + "/{installation}", id: "delete", body: .none,
      operation: DeleteInstallation.self),
    installation(
      "POST", template: installed + "/{installation}/authTokens:generate",
      id: "generateAuthToken", operation: GenerateInstallationToken.self),
  ]

  private static func installation(
    _ method: String, template: String, id: String, body: Route.Body = .verbatim,
    operation: any Operation.Type
  ) -> Route {
    Route(
      method, template: template, id: "installations." + id, credential: .keyOnly, body: body,
      action: .operation(operation))
  }

  private static let devices = "/emulator/v1/projects/{targetProjectId}/devices"
  private static let json = Route.Body.json(message: nil)

  private static let texts = "/emulator/v1/projects/{targetProjectId}/texts"

  private static let control: [Route] = [
    Route(
      "GET", template: texts, id: "hearth.texts.get", credential: .control,
      action: .operation(GetTexts.self)),
    Route(
      "PUT", template: texts, id: "hearth.texts.set", credential: .control, body: .verbatim,
      action: .operation(SetTexts.self)),
    Route(
      "DELETE", template: texts, id: "hearth.texts.clear", credential: .control,
      action: .operation(ClearTexts.self)),
    Route(
      "GET", template: devices, id: "hearth.devices.list", credential: .control,
      action: .operation(ListDevices.self)),
    Route(
      "POST", template: devices, id: "hearth.devices.register", credential: .control, body: json,
      action: .operation(RegisterDevice.self)),
    Route(
      "DELETE", template: devices, id: "hearth.devices.clear", credential: .control,
      action: .operation(ClearDevices.self)),
    Route(
      "GET", template: devices + "/{registration}", id: "hearth.devices.get", credential: .control,
      action: .operation(GetDevice.self)),
    Route(
      "PATCH", template: devices + "/{registration}", id: "hearth.devices.update",
      credential: .control, body: json, action: .operation(RegisterDevice.self)),
    Route(
      "DELETE", template: devices + "/{registration}", id: "hearth.devices.delete",
      credential: .control, action: .operation(DeleteDevice.self)),
    Route(
      "GET",
      template: "/emulator/v1/projects/{targetProjectId}/messages/{messageId}/payload/{form}",
      id: "hearth.messages.payload", credential: .control,
      query: [.init("bundle"), .init("package")], action: .operation(GetPayload.self)),
  ]

  /// The API is an argument, because these rows are at the port of Auth too.
  private static func bearer(
    _ method: String, template: String, id: String, body: Route.Body = .verbatim, api: Route.API,
    operation: any Operation.Type
  ) -> Route {
    Route(
      method, template: template, id: id, credential: .bearer, body: body, api: api,
      action: .operation(operation))
  }
}
