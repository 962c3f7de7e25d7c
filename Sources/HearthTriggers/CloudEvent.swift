import HearthFirestore
package import HearthWire

/// An event as webhooks get it: CloudEvents 1.0, the whole event as one JSON object.
///
/// The body is kept as bytes, because a signature is over exactly the bytes that are sent.
package struct CloudEvent: Sendable {
  /// Where everything happens, as production's default has it.
  static let location = "us-central1"

  /// Structured mode of CloudEvents over HTTP: attributes and data are both in the body.
  package static let contentType = "application/cloudevents+json; charset=utf-8"

  /// The types that are not those of documents.
  package enum Name {
    package static let userCreated = "google.firebase.auth.user.v1.created"
    package static let userDeleted = "google.firebase.auth.user.v1.deleted"
    package static let userCreatedV2 = "google.firebase.auth.user.v2.created"
    package static let userDeletedV2 = "google.firebase.auth.user.v2.deleted"
    package static let messageCaptured = "hearth.message.captured"
  }

  /// Unique among all events; receivers find repeated deliveries by it.
  package let id: String
  package let type: String
  package let body: [UInt8]

  /// A change of a document. `type` is one that the change has. `withWriter` adds who wrote.
  package init(_ event: DocumentEvent, type: String, withWriter: Bool) throws {
    let writer = withWriter ? event.writer : nil
    let attributes = JSON.members([
      "specversion": "1.0", "id": .string(event.id), "type": .string(type),
      "source": .string("//firestore.googleapis.com/\(event.database)"),
      "subject": .string("documents/\(event.document)"), "time": .string(event.timeText),
      "datacontenttype": "application/json", "location": .string(Self.location),
      "project": .string(event.database.project), "database": .string(event.database.database),
      "namespace": "(default)", "document": .string(event.document),
      "authtype": (writer?.type).json, "authid": (writer?.id).json,
    ])
    // The data is appended as bytes, because documents are written as JSON without a tree in
    // between. The bytes that are dropped are the closing brace, and the comma after the last
    // document.
    var body = attributes.bytes.dropLast() + Array(#","data":{"#.utf8)
    var data: [UInt8] = []
    try data.append(documentsOf: event)
    body += data.dropLast() + Array("}}".utf8)
    id = event.id
    self.type = type
    self.body = Array(body)
  }

  /// Any other event of a project.
  package init(
    id: String, type: String, source: String, subject: String, time: String, project: String,
    data: JSON
  ) {
    self.id = id
    self.type = type
    body =
      JSON.members([
        "specversion": "1.0", "id": .string(id), "type": .string(type),
        "source": .string(source), "subject": .string(subject), "time": .string(time),
        "datacontenttype": "application/json", "project": .string(project), "data": data,
      ]).bytes
  }

  /// An event whose body is written already.
  init(id: String, type: String, body: [UInt8]) {
    self.id = id
    self.type = type
    self.body = body
  }
}
