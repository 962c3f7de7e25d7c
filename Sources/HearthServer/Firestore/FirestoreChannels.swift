import HTTPTypes
import HearthErrors
import HearthFirestore
import HearthFirestoreJSON
import HearthFirestoreProtos
import HearthOperations
import HearthTransport
import HearthWebChannel
import HearthWire
import SwiftProtobuf

/// Listen and Write as browsers speak them: over WebChannel, with messages as JSON.
///
/// It connects the sessions of a `WebChannelServer` with the stream handlers that gRPC has as well.
/// The server owns the sessions. Their handlers run in tasks of their own, because a stream
/// outlasts each of its requests.
struct FirestoreChannels: Sendable {
  private static let prefix = "/google.firestore.v1.Firestore/"
  private let server: WebChannelServer

  init(firestore: Firestore, calls: FirestoreCalls) {
    server = WebChannelServer { opening, messages, send in
      do {
        try await Self.serve(
          firestore, calls: calls, opening: opening, messages: messages, send: send)
      } catch let error as APIError {
        // The stream's status travels within the channel. Other errors are not shown.
        throw ChannelFailure(
          code: error.httpStatus, status: error.code.row.rpc.name,
          message: error.message)
      }
    }
  }

  /// Whether a request is one of a channel: `/google.firestore.v1.Firestore/Listen/channel`, or the
  /// same with `Write`. Its query says which session it is of.
  static func covers(_ call: IncomingCall) -> Bool { paths.contains(String(call.path)) }

  /// Whether a request that is not read yet is one of a session.
  static func covers(_ head: HTTPRequest) -> Bool {
    head.path.map { paths.contains(String($0.prefix { $0 != "?" })) } ?? false
  }

  private static let paths = [prefix + "Listen/channel", prefix + "Write/channel"]

  /// Serves one session until the messages end or the stream fails.
  private static func serve(
    _ firestore: Firestore, calls: FirestoreCalls, opening: ChannelOpening,
    messages: AsyncStream<String>, send: @escaping @Sendable (String) async -> Void
  ) async throws {
    let isListening = opening.path.hasSuffix("/Listen/channel")
    // A client that does not take what was read for it loses its session.
    let send: @Sendable (String) async -> Void = { text in
      let answer = LargeAnswers.Answer.current
      answer?.whenStuck(opening.hangUp)
      await send(text)
      answer?.progress()
    }
    let stream = FirestoreStream(
      calls, verb: isListening ? "listen" : "write", path: opening.path,
      authorization: opening.headers["authorization"],
      app: Admission.PresentedApp(token: opening.headers["x-firebase-appcheck"]) {
        let headers = opening.headers
        return (headers["x-goog-api-client"] ?? headers["x-client-version"], headers["user-agent"])
      })
    if isListening {
      let database = opening.parameters["database"] ?? ""
      let requests = messages.map { text throws in
        var request = try decode(text) as ListenRequest
        // The database may stand in the opening instead, in place of the header that gRPC has.
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

  /// What the client reads from an answer where it is there. Without the names, browsers complain
  /// in the page's console each time.
  private static let exposedHeaders =
    "X-HTTP-Session-Id, X-Client-Wire-Protocol, X-HTTP-Initial-Response"

  /// The answer is complete, with its cross-origin headers. Browsers may keep the answer to a
  /// preflight request, as each message is a request of its own.
  func respond(to call: IncomingCall) -> OutgoingReply {
    if call.method == "OPTIONS" {
      var reply = Cors.preflight(call, isControl: false, sendsCredentials: true)
      // In seconds.
      reply.headers[.accessControlMaxAge] = "3600"
      return reply
    }
    var reply = answer(call)
    Cors.allow(call, isControl: false, sendsCredentials: true, headers: &reply.headers)
    // Only browsers need to be told, and they name their origin.
    if call.headers[.origin] != nil {
      reply.headers[.accessControlExposeHeaders] = Self.exposedHeaders
    }
    return reply
  }

  private func answer(_ call: IncomingCall) -> OutgoingReply {
    let request = ChannelRequest(
      method: call.method, path: String(call.path), query: String(call.query),
      headers: call.headers.map { ChannelHeader($0.name.canonicalName, value: $0.value) },
      body: call.body)
    switch server.respond(to: request) {
    case .whole(let status, let headers, let body):
      return OutgoingReply(status: status, headers: Self.fields(headers), body: body)
    case .stream(let status, let headers, let chunks):
      var reply = OutgoingReply(status: status, headers: Self.fields(headers))
      // `hangUp` tells the session that its GET is over, whether the client has left or the
      // connection failed.
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

  /// Ends all sessions.
  func shutDown() { server.shutDown() }
}
