import HTTPTypes
import HearthErrors
import NIOCore
import NIOHTTP1
import Testing

@testable import HearthServer
@testable import HearthTransport

/// Events, and what the state of the connection decides. No socket, no clock.
@Suite struct `The state of a connection` {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

  private static func head(
    _ method: HTTPMethod = .POST, uri: String = "/", version: HTTPVersion = .http1_1,
    headers: [(String, String)] = [("Host", "localhost")]
  ) -> HTTPServerRequestPart {
    .head(HTTPRequestHead(version: version, method: method, uri: uri, headers: .init(headers)))
  }

  private static func head(with name: String, _ value: String) -> HTTPServerRequestPart {
    head(headers: [("Host", "localhost"), (name, value)])
  }

  private static func body(_ count: Int) -> HTTPServerRequestPart {
    .body(ByteBuffer(repeating: 120, count: count))
  }

  private static func state(
    budget: Int = 1 << 20, _ change: (inout Limits) -> Void = { _ in }
  ) -> Scripted {
    var limits = Limits()
    change(&limits)
    return Scripted(HTTP1ConnectionState(limits, budget: ByteBudget(budget), at: start))
  }

  private static func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

  private static let get: [HTTPServerRequestPart] = [head(.GET), .end(nil)]

  // MARK: Requests

  @Test func `hands a request over when it is whole`() throws {
    let state = Self.state()
    #expect(state.take([Self.head(.POST, uri: "/a"), Self.body(2), Self.body(3)]) == "")
    #expect(state.take([.end(nil)]) == "answer")
    let request = try #require(state.request)
    #expect(request.head?.path == "/a")
    #expect(try request.body.get().readableBytes == 5)
    #expect(request.reservations.isEmpty)
  }

  @Test func `begins each request without anything of the last one`() throws {
    let state = Self.state()
    _ = state.take([
      Self.head(.POST, uri: "/a"), Self.body(5), .end(nil), Self.head(.GET, uri: "/b"),
    ])
    _ = state.take([.end(nil)])
    let request = try #require(state.request)
    #expect(request.head?.path == "/b")
    #expect(try request.body.get().readableBytes == 0)
  }

  @Test(arguments: [
    ([("Host", "localhost")], HTTPVersion.http1_1, "answer"),
    ([("hOST", "localhost")], .http1_1, "answer"),
    ([("Host", "a"), ("HOST", "b")], .http1_1, "last 400"),
    ([], .http1_1, "last 400"),
    ([], .http1_0, "answer"),
  ])
  func `wants one host of HTTP/1.1`(
    headers: [(String, String)], version: HTTPVersion, action: String
  ) {
    let state = Self.state()
    #expect(state.take([Self.head(.GET, version: version, headers: headers), .end(nil)]) == action)
  }

  @Test(arguments: [
    (HTTPMethod.RAW(value: "GE T"), "/", "last 400"), (.RAW(value: "PURGE"), "/", "answer"),
  ])
  func `refuses what is not a method`(method: HTTPMethod, uri: String, action: String) {
    let state = Self.state()
    #expect(state.take([Self.head(method, uri: uri), .end(nil)]) == action)
  }

  // MARK: Bounds

  @Test(arguments: [
    ([head(with: "Content-Length", "101")], "last 413"),
    ([head(with: "Content-Length", "100"), body(100), .end(nil)], "answer"),
    ([head(), body(60), body(40), .end(nil)], "answer"),
    ([head(), body(60), body(41), .end(nil)], "last 413"),
    ([head(with: "Content-Encoding", "br"), body(1), .end(nil)], "last 415"),
    ([head(with: "Content-Encoding", "GZIP"), body(1), .end(nil)], "answer"),
  ])
  func `refuses bodies beyond the bound`(parts: [HTTPServerRequestPart], actions: String) {
    let state = Self.state { $0.body = 100 }
    #expect(state.take(parts) == actions)
  }

  @Test(arguments: [
    ("/v1/projects/p/accounts:batchCreate", "answer"), ("/v1/accounts:signUp", "last 413"),
  ])
  func `lets imports be larger`(uri: String, action: String) {
    let state = Self.state {
      $0.body = 100
      $0.bound = { $0.path?.hasSuffix(":batchCreate") == true ? BodyBound(200) : nil }
    }
    #expect(state.take([Self.head(.POST, uri: uri), Self.body(150), .end(nil)]) == action)
  }

  @Test func `accounts for a large body until its request is let go`() throws {
    let budget = ByteBudget(1 << 20)
    let large = Self.head(with: "Content-Length", "\(1 << 20)")
    func state() -> Scripted {
      Scripted(HTTP1ConnectionState(Limits(), budget: budget, at: Self.start))
    }
    var first: Scripted? = state()
    #expect(first?.take([large, .end(nil)]) == "answer")
    // It is whole, and being answered.
    #expect(state().take([large]) == "last 503")
    first = nil
    #expect(state().take([large]) == "")
  }

  // MARK: Expect

  @Test func `does not ask clients of HTTP 1.0 for a body`() {
    let head = HTTPRequestHead(
      version: .http1_0, method: .POST, uri: "/", headers: ["Expect": "100-continue"])
    #expect(Self.state().take([.head(head)]) == "")
  }

  @Test(arguments: [
    ("100-continue", "ask"), ("100-Continue", "ask"), ("nothing", ""),
  ])
  func `asks for a body where the client waits for that`(value: String, action: String) {
    let state = Self.state()
    #expect(state.take([Self.head(with: "Expect", value)]) == action)
  }

  @Test func `does not ask while another answer is on its way`() {
    let state = Self.state()
    let expecting = Self.head(with: "Expect", "100-continue")
    #expect(state.take(Self.get + [expecting]) == "answer")
  }

  @Test(arguments: [("Content-Length", "101", "last 413"), ("Content-Encoding", "br", "last 415")])
  func `does not ask for what it refuses`(name: String, value: String, action: String) {
    let state = Self.state { $0.body = 100 }
    let head = Self.head(
      headers: [("Host", "localhost"), ("Expect", "100-continue"), (name, value)])
    #expect(state.take([head]) == action)
  }

  // MARK: Pipelining

  @Test func `reads on after one request, and after the second when one is answered`() {
    let state = Self.state()
    #expect(state.take(Self.get) == "answer")
    #expect(state.mayRead())
    #expect(state.take(Self.get) == "answer")
    #expect(!state.mayRead())
    #expect(state.answered(at: Self.start) == "read")
    #expect(state.mayRead())
  }

  @Test func `reads on only when few of many are left`() {
    let state = Self.state()
    #expect(state.take(Self.get + Self.get + Self.get) == "answer answer answer")
    #expect(!state.mayRead())
    #expect(state.answered(at: Self.start) == "")
    #expect(!state.mayRead())
    #expect(state.answered(at: Self.start) == "read")
  }

  @Test func `does not read where nobody asked for it`() {
    let state = Self.state()
    _ = state.take(Self.get)
    #expect(state.answered(at: Self.start) == "")
  }

  @Test func `reads nothing as a request after one that is refused`() {
    let state = Self.state { $0.body = 100 }
    let parts = [Self.head(), Self.body(101), Self.body(1), .end(nil)] + Self.get
    #expect(state.take(parts) == "last 413")
    #expect(state.failed(HTTPParserError.invalidMethod) == "")
    #expect(state.mayRead())
  }

  // MARK: What is not HTTP

  @Test(arguments: [
    (HTTPParserError.invalidMethod, "last 400"), (.headerOverflow, "last 431"),
  ])
  func `refuses what is not HTTP`(error: HTTPParserError, action: String) {
    let state = Self.state()
    #expect(state.failed(error) == action)
    #expect(state.failed(error) == "")
  }

  @Test func `refuses it after the answers that are on their way`() {
    let state = Self.state()
    #expect(state.take(Self.get) == "answer")
    #expect(state.failed(HTTPParserError.invalidMethod) == "last 400")
  }

  @Test func `knows whose body ended early`() {
    let state = Self.state()
    _ = state.take([Self.head(.POST, uri: "/a"), Self.body(1)])
    #expect(state.failed(HTTPParserError.invalidEOFState) == "last 400")
    #expect(state.request?.head?.path == "/a")
  }

  @Test func `does not take a broken connection for a request`() {
    let state = Self.state()
    #expect(state.failed(ChannelError.ioOnClosedChannel) == "finish")
    #expect(state.inputEnded() == "")
  }

  // MARK: Halves

  @Test func `answers a client that has stopped sending`() {
    let state = Self.state()
    #expect(state.take(Self.get) == "answer")
    #expect(state.inputEnded() == "finish")
    #expect(state.inputEnded() == "")
    #expect(state.answered(at: Self.start) == "")
  }

  @Test func `drops what comes after its last answer, and reads it all the same`() {
    let state = Self.state()
    #expect(state.take(Self.get + Self.get + Self.get) == "answer answer answer")
    #expect(!state.mayRead())
    #expect(state.answered(at: Self.start) == "")
    #expect(state.outputClosed(at: Self.start) == "read")
    #expect(state.take(Self.get) == "")
    #expect(state.mayRead())
  }

  @Test func `gives a client some time to close after its last answer`() {
    let state = Self.state { $0.requestTime = 30 }
    _ = state.take(Self.get + Self.get)
    _ = state.answered(at: Self.start)
    _ = state.outputClosed(at: Self.at(10))
    #expect(state.ticked(at: Self.at(40), isCrowded: false) == "")
    #expect(state.ticked(at: Self.at(41), isCrowded: false) == "close")
  }

  // MARK: Time

  @Test(arguments: [(false, Int64(75)), (true, 10)])
  func `ends silence sooner where others wait`(isCrowded: Bool, patience: Int64) {
    let state = Self.state()
    #expect(state.ticked(at: Self.at(patience), isCrowded: isCrowded) == "")
    #expect(state.ticked(at: Self.at(patience + 1), isCrowded: isCrowded) == "close")
    _ = state.take(Self.get)
    _ = state.answered(at: Self.at(100))
    #expect(state.ticked(at: Self.at(100 + patience), isCrowded: isCrowded) == "")
    #expect(state.ticked(at: Self.at(101 + patience), isCrowded: isCrowded) == "close")
  }

  @Test(arguments: [[], [head()], [head(), body(1)]])
  func `ends a request that does not come to its end`(parts: [HTTPServerRequestPart]) {
    let state = Self.state()
    // Where no part has been read, the bytes are the beginning of a head.
    #expect(state.take(parts) == "")
    state.readCompleted(at: Self.at(60))
    // More of the same request does not begin it again.
    _ = state.take([Self.body(1)])
    state.readCompleted(at: Self.at(80))
    #expect(state.ticked(at: Self.at(90), isCrowded: false) == "")
    #expect(state.ticked(at: Self.at(91), isCrowded: false) == "close")
  }

  @Test func `does not count the time of a whole request`() {
    let state = Self.state()
    _ = state.take(Self.get)
    state.readCompleted(at: Self.start)
    #expect(state.ticked(at: Self.at(10_000), isCrowded: true) == "")
    _ = state.answered(at: Self.at(10_000))
    #expect(state.ticked(at: Self.at(10_075), isCrowded: false) == "")
  }

  // MARK: The server stops

  @Test func `closes at once where nothing is on its way`() {
    let fresh = Self.state()
    #expect(fresh.stop() == "close")
    let used = Self.state()
    _ = used.take(Self.get)
    _ = used.answered(at: Self.start)
    #expect(used.stop() == "close")
  }

  @Test func `closes after the last answer`() {
    let state = Self.state()
    _ = state.take(Self.get + Self.get)
    #expect(state.stop() == "")
    #expect(state.answered(at: Self.start) == "")
    #expect(state.answered(at: Self.start) == "close")
  }

  @Test func `closes after the request that is being read`() {
    let state = Self.state()
    _ = state.take([Self.head()])
    #expect(state.stop() == "")
    #expect(state.take([.end(nil)]) == "answer")
    #expect(state.answered(at: Self.start) == "close")
  }

  @Test func `closes where the client has yet to, or where answers are not wanted`() {
    let before = Self.state()
    _ = before.take(Self.get + Self.get)
    _ = before.answered(at: Self.start)
    _ = before.outputClosed(at: Self.start)
    #expect(before.stop() == "close")
    let after = Self.state()
    _ = after.take(Self.get + Self.get)
    #expect(after.stop() == "")
    _ = after.answered(at: Self.start)
    #expect(after.outputClosed(at: Self.start) == "close")
  }
}

/// A state, and its actions in words. A class, because a test's expectations cannot change a value.
private final class Scripted {
  private var state: HTTP1ConnectionState
  /// The last one that was handed over.
  private(set) var request: ReceivedRequest?

  init(_ state: HTTP1ConnectionState) { self.state = state }

  private func word(_ action: HTTP1ConnectionState.Action) -> String {
    switch action {
    case .answer(let request), .answerLast(let request): self.request = request
    default: break
    }
    return action.word
  }

  func take(_ parts: [HTTPServerRequestPart]) -> String {
    parts.map { word(state.received($0)) }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  func readCompleted(at now: NIODeadline) { state.readCompleted(at: now) }

  func failed(_ error: any Error) -> String { word(state.failed(error)) }

  func inputEnded() -> String { word(state.inputEnded()) }

  func mayRead() -> Bool { state.mayRead() }

  func answered(at now: NIODeadline) -> String { word(state.answered(at: now)) }

  func outputClosed(at now: NIODeadline) -> String { word(state.outputClosed(at: now)) }

  func stop() -> String { word(state.stop()) }

  func ticked(at now: NIODeadline, isCrowded: Bool) -> String {
    word(state.ticked(at: now, isCrowded: isCrowded))
  }
}

extension HTTP1ConnectionState.Action {
  fileprivate var word: String {
    switch self {
    case .none: return ""
    case .askForBody: return "ask"
    case .answer: return "answer"
    case .answerLast(let request):
      guard case .failure(let refusal) = request.body else { return "last" }
      return "last \(refusal.httpStatus)"
    case .finish: return "finish"
    case .read: return "read"
    case .close: return "close"
    }
  }
}
