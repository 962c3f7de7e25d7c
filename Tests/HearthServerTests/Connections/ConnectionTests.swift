import HearthServer
import HearthTestSupport
import Testing

@testable import HearthSettings
@testable import HearthTransport

@Suite(.timeLimit(.minutes(30))) struct `The requests of a connection` {
  private static func get(_ path: String, more: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(more)\r\n"
  }

  private static func signUp(length: Int) -> String {
    "POST /identitytoolkit.googleapis.com/v1/accounts:signUp?key=a HTTP/1.1\r\nHost: localhost\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(length)\r\n\r\n"
  }

  /// Sends it all at once, and looks at what comes until the server closes.
  private func expect(
    _ statuses: [String], saying words: String = "", to text: String, finishing: Bool = false,
    change: @Sendable (inout Configuration) -> Void = { _ in }
  ) async throws {
    try await TestServer.open(change) { server in
      let connection = try await RawConnection.open(
        port: server.addresses.authPort, saying: text)
      if finishing { try await connection.finish() }
      let answers = await connection.text()
      #expect(answers.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) } == statuses)
      #expect(words.isEmpty || answers.contains(words))
    }
  }

  @Test(arguments: ["close", "Close", "close, TE", "TE,close"])
  func `are answered in their order, up to the one that is the last`(word: String) async throws {
    let requests =
      Self.get("/") + Self.get("/nothing") + Self.signUp(length: 2) + "{}"
      + Self.get("/", more: "Connection: \(word)\r\n") + Self.get("/nothing")
    try await expect(
      ["200", "404", "200", "200"], saying: "onnection: close", to: requests)
  }

  @Test func `are answered however many come at once`() async throws {
    let requests = String(repeating: Self.get("/nothing"), count: 2_000)
    try await expect(Array(repeating: "404", count: 2_000), to: requests, finishing: true)
  }

  @Test func `are answered to a client that has stopped sending`() async throws {
    let requests = Self.signUp(length: 2) + "{}" + Self.get("/")
    try await expect(["200", "200"], to: requests, finishing: true)
  }

  @Test func `are answered in front of what is no request`() async throws {
    let requests = Self.signUp(length: 2) + "{}" + "NO HTTP AT ALL\r\n\r\n" + Self.get("/")
    try await expect(["200", "400"], saying: "\"status\": \"INVALID_ARGUMENT\"", to: requests)
  }

  @Test func `are refused where they end early`() async throws {
    try await expect(
      ["400"], saying: "the body ended early", to: Self.signUp(length: 100) + "{", finishing: true)
  }

  @Test(arguments: ["Content-Length: 101\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n65\r\n"])
  func `are refused where they are too much, and nothing after them is read`(
    head: String
  ) async throws {
    let body = String(repeating: "x", count: 101)
    let request = "POST /emulator/action HTTP/1.1\r\nHost: localhost\r\n\(head)\(body)\r\n0\r\n\r\n"
    try await expect(["413"], saying: "Connection: close", to: request + Self.get("/")) {
      $0.limits.body = 100
    }
  }
}
