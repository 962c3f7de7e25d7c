import HTTPTypes
import HearthErrors
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The state of an HTTP/1.1 connection. It decides; `HTTP1ConnectionHandler` carries out.
///
/// Requests are answered one after the other. After one that is refused, nothing is read as a
/// request: the client gets the answer and then the end of the stream, and closes the connection.
/// If the server closed it with bytes unread, the answer would be lost.
///
/// It has no socket, timer or clock; its caller passes the time. Record 0046.
struct HTTP1ConnectionState {
  /// What an event asks for.
  enum Action {
    case none
    /// Write `100 Continue`: the client waits for it before it sends the body.
    case askForBody
    /// Have the request answered.
    case answer(ReceivedRequest)
    /// Have the request answered. No other one will come.
    case answerLast(ReceivedRequest)
    /// No other request will come.
    case finish
    /// Read what was held back.
    case read
    /// Close the connection, after what has been written.
    case close
  }

  private enum Input {
    case betweenRequests
    case inRequest
    /// What comes is dropped.
    case over
  }

  /// How long a connection may be idle where others wait for its place, or soon will.
  private static let crowdedIdleTime = TimeAmount.seconds(10)

  private let requestTime: TimeAmount
  private let idleTime: TimeAmount
  private var assembly: RequestAssembly
  private var input = Input.betweenRequests
  /// Whether the last answer has been written. What comes is read and dropped until the client
  /// closes, for as long as a request may take.
  private var isOutputClosed = false
  private var isStopping = false
  /// Requests without a complete answer. While there are any, time does not count.
  private var unanswered = 0
  private var isReadHeld = false
  /// When the request that is being read began to arrive.
  private var began: NIODeadline?
  /// Whether a part of a request has been read since the last `readCompleted`.
  private var hasReadPart = false
  /// When the last answer ended; before the first one, when the connection began.
  private var silentSince: NIODeadline

  init(_ limits: Limits, budget: ByteBudget = .requests, at now: NIODeadline) {
    requestTime = .seconds(limits.requestTime)
    idleTime = .seconds(limits.idleTime)
    assembly = RequestAssembly(limits, budget: budget)
    silentSince = now
  }
}

// What the client sends.
extension HTTP1ConnectionState {
  package mutating func received(_ part: HTTPServerRequestPart) -> Action {
    guard input != .over else { return .none }
    hasReadPart = true
    switch part {
    case .head(let head): return begin(head)
    case .body(let bytes):
      do throws(APIError) { try assembly.append(bytes) } catch { return refuse(error) }
      return .none
    case .end:
      input = .betweenRequests
      began = nil
      unanswered += 1
      return .answer(assembly.finish())
    }
  }

  private mutating func begin(_ head: HTTPRequestHead) -> Action {
    // RFC 9112 section 3.2 asks for 400. If there were two, others might choose the other one.
    guard head.version.minor == 0 || Self.namesOneHost(head) else {
      return refuseAsNotHTTP("a request names one host")
    }
    var request: HTTPRequest
    do {
      request = try Self.request(of: head)
    } catch {
      return refuseAsNotHTTP("\(error)")
    }
    // Clients of HTTP/1.0 wait for the end, unless they say otherwise (RFC 9112 section 9.3).
    if head.version.minor == 0, !request.headerFields.listsConnection("keep-alive") {
      request.headerFields[.connection] = "close"
    }
    input = .inRequest
    do throws(APIError) { try assembly.begin(request) } catch { return refuse(error) }
    // The client would take the `100` for a part of the answer that it still waits for.
    guard unanswered == 0 else { return .none }
    // RFC 9110 section 10.1.1: HTTP/1.0 does not have it.
    guard head.version.minor > 0 else { return .none }
    return request.headerFields[.expect]?.lowercased() == "100-continue" ? .askForBody : .none
  }

  /// The library's own conversion parses each target as a URL, since a proxy is sent URLs. That takes
  /// long, and a target that is a path stays as it is.
  private static func request(of head: HTTPRequestHead) throws -> HTTPRequest {
    guard head.uri.utf8.first == UInt8(ascii: "/") else {
      return try HTTPRequest(head, secure: false, splitCookie: false)
    }
    return HTTPRequest(
      method: try HTTPRequest.Method(head.method), scheme: "http",
      authority: head.headers.first(name: "Host"), path: head.uri,
      headerFields: HTTPFields(head.headers, splitCookie: false))
  }

  private static func namesOneHost(_ head: HTTPRequestHead) -> Bool {
    var hosts = 0
    for header in head.headers where isHost(header.name) { hosts += 1 }
    return hosts == 1
  }

  /// The usual spellings first: to lower the case of each name would make many strings.
  private static func isHost(_ name: String) -> Bool {
    name == "Host" || name == "host" || name.utf8.count == 4 && name.lowercased() == "host"
  }

  /// All bytes that have come so far have been decoded.
  mutating func readCompleted(at now: @autoclosure () -> NIODeadline) {
    // Bytes without a part of a request are the beginning of a head.
    if began == nil, input == .inRequest || !hasReadPart { began = now() }
    hasReadPart = false
  }

  /// The connection is broken, or what came is not HTTP.
  package mutating func failed(_ error: any Error) -> Action {
    // The decoder reports it again for all that comes after it.
    guard input != .over else { return .none }
    if error is ChannelError || error is IOError { return inputEnded() }
    if input == .inRequest {
      return refuse(APIError(.invalidArgument, detail: "the body ended early"))
    }
    if error as? HTTPParserError == .headerOverflow { return refuse(APIError(.headersTooLarge)) }
    return refuseAsNotHTTP("\(error)")
  }

  private mutating func refuseAsNotHTTP(_ reason: String) -> Action {
    refuse(APIError(.invalidArgument, detail: "this is not HTTP: \(reason)"))
  }

  private mutating func refuse(_ refusal: APIError) -> Action {
    input = .over
    unanswered += 1
    return .answerLast(assembly.finish(refusing: refusal))
  }

  /// The client sends no more.
  mutating func inputEnded() -> Action {
    guard input != .over else { return .none }
    input = .over
    return .finish
  }

  /// Whether the socket may be read. A client that does not wait for answers has to, after the
  /// second request; the first is not enough, since nothing but a read tells that a client has
  /// gone.
  package mutating func mayRead() -> Bool {
    isReadHeld = unanswered > 1 && !isOutputClosed
    return !isReadHeld
  }
}

// What the server does.
extension HTTP1ConnectionState {
  /// An answer has been written to its end.
  mutating func answered(at now: NIODeadline) -> Action {
    unanswered -= 1
    silentSince = now
    return isStopping && isIdle ? .close : readOn()
  }

  /// The last answer has been written. The client is to close.
  mutating func outputClosed(at now: NIODeadline) -> Action {
    isOutputClosed = true
    input = .over
    silentSince = now
    return isStopping ? .close : readOn()
  }

  private mutating func readOn() -> Action {
    isReadHeld && mayRead() ? .read : .none
  }

  /// The server stops: the connection closes after the answers that are on their way.
  package mutating func stop() -> Action {
    isStopping = true
    return isIdle || isOutputClosed ? .close : .none
  }

  private var isIdle: Bool { unanswered == 0 && input != .inRequest }

  /// Some time has passed. One coarse tick for each connection is enough: a timer for each request
  /// would be set thousands of times a second.
  func ticked(at now: NIODeadline, isCrowded: Bool) -> Action {
    if isOutputClosed { return now > silentSince + requestTime ? .close : .none }
    guard unanswered == 0 else { return .none }
    if let began { return now > began + requestTime ? .close : .none }
    let patience = isCrowded ? min(idleTime, Self.crowdedIdleTime) : idleTime
    return now > silentSince + patience ? .close : .none
  }
}

extension HTTPFields {
  /// Whether `Connection`, which is a list (RFC 9110 section 7.6.1), has an option.
  func listsConnection(_ option: String) -> Bool {
    guard let value = self[.connection] else { return false }
    return value.lowercased()
      .split { $0 == "," || $0 == " " || $0 == "\t" }
      .contains { $0 == option }
  }
}
