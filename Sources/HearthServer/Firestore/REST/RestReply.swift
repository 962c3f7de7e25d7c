import HTTPTypes
import HearthFirestore
import HearthFirestoreJSON
import HearthOperations
import HearthTransport
import SwiftProtobuf

/// Answers of Firestore's methods as JSON. The JSON of a large answer is made off the event loop,
/// because other connections of its thread would wait.
///
/// Answers that are made and not yet written are accounted for by `LargeAnswers`, in each form that
/// they have in between.
enum RestReply {
  /// The answer of a method that gives one message. The size is what the answer may come to; a call
  /// with a large one waits until there is room for it.
  static func json<Output: Message>(
    _ size: LargeAnswers.Size = .document, of call: () async throws -> Output
  ) async throws -> OutgoingReply {
    try await json(size, of: Output.self) { try await call().serializedBytes() }
  }

  /// As `json(_:of:)`, of a method that gives the bytes of its message.
  static func json<Output: Message>(
    _ size: LargeAnswers.Size = .document, of _: Output.Type,
    encoded call: () async throws -> [UInt8]
  ) async throws -> OutgoingReply {
    try await EventLoopExecutor.stage {
      let answer = LargeAnswers.Answer(size)
      // The size of the encoded message tells whether it is large, before any JSON is made.
      let wire = try await answer.whileMade { try await call() }
      guard wire.count > LargeAnswers.small else {
        return reply(FirestoreJSON.transcode(wire, of: Output.self), answer: answer)
      }
      // Until the JSON is there, which is accounted for then.
      answer.hold(atLeast: wire.count)
      return await WorkPool.shared.finish {
        reply(FirestoreJSON.transcode(wire, of: Output.self), answer: answer)
      }
    }
  }

  /// The messages that gRPC would stream.
  static func array<Output: Message>(
    _ size: LargeAnswers.Size = .any, of call: () async throws -> [Output]
  ) async throws -> OutgoingReply {
    try await EventLoopExecutor.stage {
      let answer = LargeAnswers.Answer(size)
      var array = JSONArray(messages: try await answer.whileMade { try await call() })
      // Begun here: most answers are small, and end here too.
      try array.encode(upTo: LargeAnswers.small)
      if !array.isComplete {
        // Its messages take memory while they wait for the pool.
        answer.hold(atLeast: array.likelySize)
        array = try await WorkPool.shared.finish { [array] in
          var array = array
          try array.encode()
          return array
        }
      }
      return reply(array.bytes, answer: answer)
    }
  }

  /// A large answer is accounted for until it is written or given up.
  private static func reply(_ bytes: [UInt8], answer: LargeAnswers.Answer) -> OutgoingReply {
    var reply = OutgoingReply(status: 200, body: bytes)
    answer.hold(bytes.count)
    if bytes.count > LargeAnswers.small { reply.pending = answer }
    reply.headers[.contentType] = "application/json; charset=UTF-8"
    return reply
  }
}

/// Messages on their way to a JSON array. The work can stop after any message and go on in another
/// thread.
private struct JSONArray<Element: Message>: Sendable {
  let messages: [Element]
  /// How many messages are in `bytes`.
  private var encoded = 0
  private(set) var bytes = Array("[".utf8)

  init(messages: [Element]) { self.messages = messages }

  private(set) var isComplete = false

  /// What all messages come to if the others are as large as those that are encoded.
  var likelySize: Int { bytes.count / max(encoded, 1) * messages.count }

  /// Encodes messages until the array has more bytes than that, or all messages.
  mutating func encode(upTo size: Int = .max) throws {
    while encoded < messages.count {
      guard bytes.count <= size else { return }
      if encoded > 0 { bytes.append(contentsOf: ",\n".utf8) }
      try FirestoreJSON.append(messages[encoded], to: &bytes)
      encoded += 1
    }
    bytes.append(UInt8(ascii: "]"))
    isComplete = true
  }
}
