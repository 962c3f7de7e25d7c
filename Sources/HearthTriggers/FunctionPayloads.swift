import HearthFirestore
import HearthFirestoreJSON
import HearthFirestoreProtos
package import HearthOperations
import HearthWire
import SwiftProtobuf

/// The requests that run functions, as the functions emulator takes them. Their form is that which
/// the official emulator was recorded to send (`fixtures/triggers`, record 0049).
package enum FunctionPayloads {
  /// The request that runs a function of either generation. The id is that of the event for the
  /// second generation; functions of the first one share that of the change.
  package static func request(
    _ event: DocumentEvent, for trigger: DocumentTrigger, id: String, at address: String
  ) throws -> FunctionRequest {
    let url = url(address, project: event.database.project, key: trigger.key)
    return switch trigger.generation {
    case .first:
      FunctionRequest(
        url: url, headers: [("Content-Type", "application/json")],
        body: try firstGeneration(event, trigger: trigger))
    case .second:
      // Binary mode: attributes are headers. The functions emulator expects the body in Base64.
      FunctionRequest(
        url: url, headers: headers(event, trigger: trigger, id: id),
        body: Array(Base64.encode(try data(of: event)).utf8))
    }
  }

  /// Where a function is run, by its key.
  package static func url(_ address: String, project: String, key: String) -> String {
    let project = PercentCoding.encodeComponent(project)
    let key = PercentCoding.encodeComponent(key)
    return "http://\(address)/functions/projects/\(project)/triggers/\(key)"
  }

  /// Where all functions hear of users.
  package static func multicastURL(_ address: String, project: String) -> String {
    "http://\(address)/functions/projects/\(PercentCoding.encodeComponent(project))/trigger_multicast"
  }

  // MARK: The first generation

  private static func firstGeneration(
    _ event: DocumentEvent, trigger: DocumentTrigger
  ) throws -> [UInt8] {
    var body = Array(#"{"data":{"#.utf8)
    try body.append(documentsOf: event)
    // The mask is empty, as the official emulator sends it.
    body += Array(#""updateMask":{}},"context":"#.utf8)
    let context = JSON.members([
      "eventId": .string(event.id), "timestamp": .string(event.timeText),
      "eventType": .string(trigger.eventType),
      "resource": .members([
        "name": .string(event.name), "service": "firestore.googleapis.com",
      ]),
    ])
    return body + context.bytes + [UInt8(ascii: "}")]
  }

  // MARK: The second generation

  /// The value of `ce-dataschema`.
  private static let schema =
    "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/"
    + "firestore/v1/data.proto"

  private static func headers(
    _ event: DocumentEvent, trigger: DocumentTrigger, id: String
  ) -> [(name: String, value: String)] {
    let document = headerValue(event.document)
    var headers = [
      ("ce-specversion", "1.0"), ("ce-type", trigger.eventType),
      ("ce-source", "//firestore.googleapis.com/\(event.database)"), ("ce-id", id),
      ("ce-subject", "documents/\(document)"), ("ce-time", event.secondsText),
      ("ce-datacontenttype", "application/protobuf"), ("ce-dataschema", schema),
      ("ce-location", CloudEvent.location), ("ce-project", event.database.project),
      ("ce-database", headerValue(event.database.database)), ("ce-namespace", "(default)"),
      ("ce-document", document), ("Content-Type", "application/protobuf"),
    ]
    if trigger.wantsCaller {
      let writer = event.writer
      headers.append(("ce-authtype", writer.type))
      if let id = writer.id { headers.append(("ce-authid", headerValue(id))) }
    }
    return headers
  }

  /// The text as it is, but for control characters, which would end the header.
  private static func headerValue(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
    return text.unicodeScalars.map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7F
        ? PercentCoding.encodeComponent(String(scalar)) : String(scalar)
    }.joined()
  }

  /// `google.events.cloud.firestore.v1.DocumentEventData`: the document (1), what it was before (2)
  /// and the mask of what has changed (3), which is always empty.
  package static func data(of event: DocumentEvent) throws -> [UInt8] {
    // Written by hand: the two documents are all that the message holds, and it needs no generated
    // code.
    var data: [UInt8] = []
    for (tag, document) in [(UInt8(0x0A), event.change.after), (0x12, event.change.before)] {
      guard let document else { continue }
      let bytes: [UInt8] = try document.message.serializedBytes()
      data.append(tag)
      data.append(varint: bytes.count)
      data += bytes
    }
    // Field 3 with a length of 0.
    return data + [0x1A, 0x00]
  }
}

extension [UInt8] {
  /// Seven bits in each byte, the lowest first, as protobuf has it.
  fileprivate mutating func append(varint value: Int) {
    var rest = UInt64(value)
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// `"value":…,"oldValue":…,`, of which one may be absent.
  mutating func append(documentsOf event: DocumentEvent) throws {
    for (name, document) in [("value", event.change.after), ("oldValue", event.change.before)] {
      guard let document else { continue }
      self += Array("\"\(name)\":".utf8)
      try FirestoreJSON.append(document.message, to: &self)
      append(UInt8(ascii: ","))
    }
  }
}
