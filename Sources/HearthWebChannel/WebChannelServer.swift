import HearthWire
import Synchronization

/// The server's half of WebChannel, by which Firestore's JavaScript SDK runs the streams `Listen`
/// and `Write` in a browser: many short POSTs to say something, one hanging GET to hear.
///
/// Knows nothing of what the messages mean and nothing of sockets. Owns the open sessions, of which
/// there are at most `ChannelLimits.sessions`, and may be called on any thread. A session removes
/// itself when it ends.
package final class WebChannelServer: Sendable {
  /// One stream: takes messages as JSON texts, sends messages as JSON texts. To return ends it
  /// with OK, to throw a `ChannelFailure` with that status. When the client is gone, the task is
  /// cancelled and the messages end.
  package typealias Handler =
    @Sendable (
      _ opening: ChannelOpening, _ messages: AsyncStream<String>,
      _ send: @escaping @Sendable (String) async -> Void
    ) async throws -> Void

  private struct State {
    var sessions: [String: Session] = [:]
    var isShutDown = false
  }

  private let handler: Handler
  private let limits: ChannelLimits
  private let timing: ChannelTiming
  private let state = Mutex(State())

  package init(
    keepAlive: Duration = .seconds(30), expiry: Duration = .seconds(120),
    limits: ChannelLimits = ChannelLimits(), clock: any Clock<Duration> = ContinuousClock(),
    handler: @escaping Handler
  ) {
    timing = ChannelTiming(keepAlive: keepAlive, expiry: expiry, clock: clock)
    self.limits = limits
    self.handler = handler
  }

  /// How many streams are open.
  package var sessionCount: Int { state.withLock { $0.sessions.count } }

  /// Ends every stream and opens none any more. Each handler's task is cancelled; nobody waits for
  /// it here.
  package func shutDown() {
    let sessions = state.withLock { state in
      state.isShutDown = true
      return state.sessions.values.map(\.self)
    }
    for session in sessions { session.end() }
  }

  /// Answers any request to a channel's path.
  package func respond(to request: ChannelRequest) -> ChannelReply {
    let query = FormFields(parsing: request.query)
    // Pages being closed send this as a beacon or as the address of an image.
    let isTerminating = query["TYPE"] == "terminate"
    return switch (request.method, query["SID"]) {
    case (_, let id?) where isTerminating: terminate(request, id: id)
    case ("POST", nil): open(request, query: query)
    case ("POST", let id?): receive(request, query: query, id: id)
    case ("GET", let id?): listen(request, query: query, id: id)
    case ("GET", nil): refuse(400, reason: "A GET needs a SID.")
    default: refuse(405, reason: "The method is not allowed.")
    }
  }
}

// What the requests are.
extension WebChannelServer {
  private func open(_ request: ChannelRequest, query: FormFields) -> ChannelReply {
    guard query["VER"] == "8" else { return refuse(400, reason: "The protocol version is 8.") }
    guard let body = ForwardBody(parsing: request.body), body.first == 0 else {
      return refuse(400, reason: "The body is not a valid handshake.")
    }
    let id = SessionID.random()
    let session = Session(id: id, path: request.path, limits: limits, timing: timing) {
      [weak self] in
      self?.state.withLock { $0.sessions[id] = nil }
    }
    let greeting = session.greeting()
    guard session.take(body) else {
      return refuse(429, reason: "The request has too many messages.")
    }
    let isAdmitted = state.withLock { state in
      guard !state.isShutDown, state.sessions.count < limits.sessions else { return false }
      state.sessions[id] = session
      return true
    }
    guard isAdmitted else { return refuse(503, reason: "No more streams can be opened.") }
    let opening = ChannelOpening(request, parameters: query, written: body.headers) {
      [weak session] in session?.end()
    }
    session.start(handler, opening: opening)
    return answer(200, body: greeting)
  }

  private func receive(_ request: ChannelRequest, query: FormFields, id: String)
    -> ChannelReply
  {
    guard let session = session(id, request: request) else { return unknown() }
    guard let body = ForwardBody(parsing: request.body) else {
      session.end()
      return refuse(400, reason: "The body is not a valid list of messages.")
    }
    guard let report = session.receive(body, acknowledging: query.array) else {
      return unknown()
    }
    return answer(200, body: report)
  }

  private func listen(_ request: ChannelRequest, query: FormFields, id: String)
    -> ChannelReply
  {
    let patience = query["TO"].flatMap { Int($0) }.map { Duration.milliseconds(max($0, 1)) }
    let chunks = session(id, request: request)?.listen(
      acknowledging: query.array, isBuffered: query["CI"] == "1",
      patience: min(patience ?? timing.keepAlive, timing.keepAlive))
    guard let chunks else { return unknown() }
    return .stream(status: 200, headers: Self.headers, chunks: chunks)
  }

  private func terminate(_ request: ChannelRequest, id: String) -> ChannelReply {
    session(id, request: request)?.end()
    return answer(200, body: [])
  }

  /// Nil as well for a session of another path: its id does not count there.
  private func session(_ id: String, request: ChannelRequest) -> Session? {
    let session = state.withLock { $0.sessions[id] }
    return session?.path == request.path ? session : nil
  }
}

// How they are answered.
extension WebChannelServer {
  private func answer(_ status: Int, body: [UInt8]) -> ChannelReply {
    .whole(status: status, headers: Self.headers, body: body)
  }

  private func refuse(_ status: Int, reason: String) -> ChannelReply {
    answer(status, body: Array("\(reason)\n".utf8))
  }

  /// The client looks for these words anywhere but at the start, and opens a new stream.
  private func unknown() -> ChannelReply {
    refuse(400, reason: "Error: Unknown SID")
  }

  /// Everything on the way is to pass each chunk on as it comes, and browsers not to wait for
  /// enough bytes to guess the type from.
  private static let headers = [
    ChannelHeader("Content-Type", value: "text/plain; charset=utf-8"),
    ChannelHeader("Cache-Control", value: "no-cache"),
    ChannelHeader("X-Accel-Buffering", value: "no"),
    ChannelHeader("X-Content-Type-Options", value: "nosniff"),
  ]
}

extension FormFields {
  /// The last array the client has.
  fileprivate var array: Int { self["AID"].flatMap { Int($0) } ?? -1 }
}

/// A client that knows a session's name speaks for its user, so nobody must be able to guess it.
private enum SessionID {
  static func random() -> String {
    let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<24).compactMap { _ in characters.randomElement() })
  }
}
