package import HearthOperations
package import HearthWire

/// An account was created or deleted, in the words of each receiver.
package struct UserEvent: Sendable {
  private let project: String
  /// The event of the first generation: its `eventType`, `eventId`, `timestamp` and `data`.
  private let event: JSON
  private let isCreated: Bool
  private let data: JSONObject
  private let uid: String
  /// Of the second generation's event.
  private let secondId: String

  /// Reads the event of the first generation; nil where it is not one. `id` is that of the event of the
  /// second generation.
  package init?(_ event: JSON, project: String, id: String) {
    guard let type = event["eventType"]?.string, event["eventId"]?.string != nil,
      let data = event["data"]?.object, let uid = data["uid"]?.string
    else { return nil }
    self.event = event
    self.project = project
    self.data = data
    self.uid = uid
    isCreated = type.hasSuffix(".create")
    secondId = id
  }

  /// `users/UID`.
  package var subject: String { "users/\(uid)" }

  private var time: String { event["timestamp"]?.string ?? "" }

  /// For webhooks, with the user as functions of the first generation get it.
  package var firstForWebhooks: CloudEvent {
    CloudEvent(
      id: event["eventId"]?.string ?? "",
      type: isCreated ? CloudEvent.Name.userCreated : CloudEvent.Name.userDeleted,
      source: "//firebaseauth.googleapis.com/projects/\(project)", subject: subject, time: time,
      project: project, data: .object(data))
  }

  /// For functions of the second generation, and for webhooks.
  package var second: CloudEvent {
    let type = isCreated ? CloudEvent.Name.userCreatedV2 : CloudEvent.Name.userDeletedV2
    let attributes = JSON.members([
      "specversion": "1.0", "id": .string(secondId), "type": .string(type),
      "source": .string("//identitytoolkit.googleapis.com/projects/\(project)"),
      "subject": .string(subject), "time": .string(time), "tenantid": data["tenantId"],
      "data": .members([isCreated ? "value" : "oldValue": user]),
    ])
    return CloudEvent(id: secondId, type: type, body: attributes.bytes)
  }

  /// As `google.events.firebase.auth.v2.UserData`, which has no tenant and no second factors. The
  /// official emulator writes `creationTime`, and the schema `createTime`: both are here.
  private var user: JSON {
    let metadata = data["metadata"]
    return .members([
      "uid": .string(uid), "email": data["email"], "emailVerified": data["emailVerified"],
      "displayName": data["displayName"], "photoURL": data["photoURL"],
      "disabled": data["disabled"],
      "metadata": .members([
        "createTime": metadata?["creationTime"], "creationTime": metadata?["creationTime"],
        "lastSignInTime": metadata?["lastSignInTime"],
      ]),
      "providerData": data["providerData"]?.array.map { .array($0.map(Self.provider)) },
      "phoneNumber": data["phoneNumber"], "customClaims": data["customClaims"],
    ])
  }

  private static func provider(_ provider: JSON) -> JSON {
    .members([
      "uid": provider["rawId"], "email": provider["email"], "displayName": provider["displayName"],
      "photoURL": provider["photoURL"], "providerId": provider["providerId"],
    ])
  }
}

extension FunctionPayloads {
  /// Tells all functions of the first generation of a user.
  package static func multicast(
    _ event: JSON, at address: String, project: String
  ) -> FunctionRequest {
    FunctionRequest(url: multicastURL(address, project: project), json: event)
  }

  /// Tells all functions of the second generation of a user.
  package static func multicast(
    _ event: CloudEvent, at address: String, project: String
  ) -> FunctionRequest {
    FunctionRequest(
      url: multicastURL(address, project: project),
      // As the functions emulator knows it: the word for the character set is in capitals.
      headers: [("Content-Type", "application/cloudevents+json; charset=UTF-8")],
      body: event.body)
  }
}
