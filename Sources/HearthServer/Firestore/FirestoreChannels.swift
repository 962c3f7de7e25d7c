import HTTPTypes
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthWebChannel
import SwiftProtobuf

/// Listen and Write as browsers speak them: over WebChannel, with messages as JSON.
struct FirestoreChannels: Sendable {
  private static let prefix = "/google.firestore.v1.Firestore/"
  private let server: WebChannelServer

  init(firestore: Firestore, calls: FirestoreCalls) {
    server = WebChannelServer { opening, messages, send in
      do {
        try await Self.serve(firestore, calls, opening, messages, send)
      } catch let error as APIError {
        throw ChannelFailure(
          code: error.httpStatus, status: error.code.row.rpc.name,
          message: error.message)
      }
    }
  }

  static func covers(_ call: IncomingCall) -> Bool {
    call.path.hasPrefix(prefix) && call.path.hasSuffix("/channel")
  }

  private static func serve(
    _ firestore: Firestore, _ calls: FirestoreCalls, _ opening: ChannelOpening,
    _ messages: AsyncStream<String>, _ send: @escaping @Sendable (String) async -> Void
  ) async throws {
    let isListening = opening.path.hasSuffix("/Listen/channel")
    let stream = FirestoreStream(
      calls, isListening ? "listen" : "write", path: opening.path,
      authorization: opening.headers["authorization"])
    if isListening {
      let database = opening.parameters["database"] ?? ""
      let requests = messages.map { text throws in
        var request = try decode(text) as ListenRequest
        if request.database.isEmpty { request.database = database }
        return request
      }
      try await stream.listen(requests, in: firestore) {
        await send(try Self.encode($0))
      }
    } else {
      let requests = messages.map { text throws in try decode(text) as WriteRequest }
      try await stream.write(requests, in: firestore) {
        await send(try Self.encode($0))
      }
    }
  }

  private static func decode<Request: Message>(_ text: String) throws(APIError) -> Request {
    try FirestoreJSON.decode(Array(text.utf8))
  }

  private static func encode(_ message: some Message) throws -> String {
    String(decoding: try FirestoreJSON.encode(message), as: UTF8.self)
  }

  /// The answer is complete: it has its own cross-origin headers.
  func respond(to call: IncomingCall) -> OutgoingReply {
    let request = ChannelRequest(
      method: call.method, path: String(call.path), query: String(call.query),
      headers: call.headers.map { ChannelHeader($0.name.canonicalName, $0.value) },
      body: call.body)
    switch server.respond(to: request) {
    case .whole(let status, let headers, let body):
      return OutgoingReply(status: status, headers: Self.fields(headers), body: body)
    case .stream(let status, let headers, let chunks):
      var reply = OutgoingReply(status: status, headers: Self.fields(headers))
      reply.stream = ReplyStream(chunks: chunks.chunks) { chunks.hangUp() }
      return reply
    }
  }

  private static func fields(_ headers: [ChannelHeader]) -> HTTPFields {
    var fields = HTTPFields()
    for header in headers {
      if let name = HTTPField.Name(header.name) { fields[name] = header.value }
    }
    return fields
  }

  func shutDown() { server.shutDown() }
}
