import HTTPTypes
import HearthFirestore
import SwiftProtobuf

/// Answers of Firestore's methods as JSON.
enum RestReply {
  static func json(
    _ size: LargeAnswers.Size = .document, of call: () async throws -> some Message
  ) async throws -> OutgoingReply {
    try await EventLoopExecutor.stage {
      if LargeAnswers.shared.isFull { await LargeAnswers.shared.room(for: size) }
      return reply(try FirestoreJSON.encode(try await call()))
    }
  }

  /// The messages that gRPC would stream.
  static func array(
    _ size: LargeAnswers.Size = .any, of call: () async throws -> [some Message]
  ) async throws -> OutgoingReply {
    try await EventLoopExecutor.stage {
      if LargeAnswers.shared.isFull { await LargeAnswers.shared.room(for: size) }
      let messages = try await call()
      var bytes = Array("[".utf8)
      for (index, message) in messages.enumerated() {
        if index > 0 { bytes.append(contentsOf: ",\n".utf8) }
        try FirestoreJSON.append(message, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
      return reply(bytes)
    }
  }

  private static func reply(_ bytes: [UInt8]) -> OutgoingReply {
    var reply = OutgoingReply(status: 200, body: bytes)
    reply.pending = LargeAnswers.shared.note(bytes.count)
    reply.headers[.contentType] = "application/json; charset=UTF-8"
    return reply
  }
}
