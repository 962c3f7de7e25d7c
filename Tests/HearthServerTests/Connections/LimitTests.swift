import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthTransport

@Suite(.timeLimit(.minutes(30))) struct `A connection` {
  private static let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
  /// The end of the answer to `GET /`.
  private static let answered = "\"apiSpec\""

  /// The head of a request to sign up.
  private static func signUp(length: Int, _ more: String = "") -> String {
    "POST /identitytoolkit.googleapis.com/v1/accounts:signUp?key=a HTTP/1.1\r\nHost: localhost\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(length)\r\n\(more)\r\n"
  }

  @Test func `whose request does not come to its end is cut off`() async throws {
    try await TestServer.open({ $0.limits.requestTime = 5 }) { server in
      let connection = try await RawConnection.open(
        port: server.addresses.authPort, saying: Self.signUp(length: 100) + #"{"email":"#)
      let answer = await connection.text()
      #expect(!answer.contains("200 OK"))
      let next = try await server.send("GET", path: "/")
      #expect(next.status == 200)
    }
  }

  @Test(arguments: ["GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "])
  func `whose headers do not come to their end is cut off`(beginning: String) async throws {
    try await TestServer.open({ $0.limits.requestTime = 5 }) { server in
      let connection = try await RawConnection.open(
        port: server.addresses.authPort, saying: Self.request)
      #expect(await connection.text(until: Self.answered).contains("200 OK"))
      try await connection.send(beginning)
      // Comes back when the server closes, long before the patience with silence is over.
      #expect(await !connection.text().contains("HTTP/1.1"))
    }
  }

  @Test func `that does not end after its last answer is cut off`() async throws {
    try await TestServer.open({
      $0.limits.connections = 1
      $0.limits.requestTime = 20
    }) { server in
      let port = server.addresses.authPort
      let last = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      let first = try await RawConnection.open(
        port: port, saying: last + Self.request, lingering: true)
      #expect(await first.text(until: Self.answered).contains("200 OK"))
      // It is served when the first one has been closed, which itself cannot see that.
      let second = try await RawConnection.open(port: port, saying: Self.request)
      #expect(await second.text(until: Self.answered).contains("200 OK"))
    }
  }

  @Test(arguments: [
    ("NO HTTP AT ALL\r\n\r\n", "400 Bad Request"),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nA B: c\r\n\r\n", "400 Bad Request"),
    ("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "400 Bad Request"),
    ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request"),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "400 Bad Request"),
    (
      "GET / HTTP/1.1\r\nA: \(String(repeating: "x", count: 200_000))\r\n\r\n",
      "431 Request Header Fields Too Large"
    ),
  ])
  func `that is not HTTP is refused in the envelope`(
    request: String, status: String
  ) async throws {
    try await TestServer.open { server in
      let connection = try await RawConnection.open(
        port: server.addresses.authPort, saying: request)
      let answer = await connection.text()
      #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
      #expect(answer.lowercased().contains("access-control-allow-origin: *\r\n"))
      #expect(answer.contains("\"status\": \"INVALID_ARGUMENT\""))
    }
  }

  @Test func `that waits to be asked for too much is refused at once`() async throws {
    try await TestServer.open({ $0.limits.body = 100 }) { server in
      let connection = try await RawConnection.open(
        port: server.addresses.authPort,
        saying: Self.signUp(length: 101, "Expect: 100-continue\r\n"))
      #expect(await connection.text().hasPrefix("HTTP/1.1 413"))
    }
  }

  @Test func `that names no host gets links to where it came`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      let path = "/identitytoolkit.googleapis.com/v1/projects/demo-hearth/accounts:sendOobCode"
      let body = #"{"requestType":"PASSWORD_RESET","email":"a@b.c","returnOobLink":true}"#
      let connection = try await RawConnection.open(
        port: server.addresses.authPort,
        saying: """
          POST \(path) HTTP/1.0\r
          Authorization: Bearer owner\r
          Content-Type: application/json\r
          Content-Length: \(body.utf8.count)\r
          \r
          \(body)
          """)
      let link = "http://127.0.0.1:\(server.addresses.authPort)/emulator/action?mode=resetPassword"
      #expect(await connection.text(until: "oobLink\":\"http").contains("oobLink\":\"http"))
      let codes = try await server.send("GET", path: "/emulator/v1/projects/demo-hearth/oobCodes")
      #expect(codes["oobCodes"]?.array?.first?["oobLink"]?.string?.hasPrefix(link) == true)
    }
  }

  @Test func `that waits to be asked for its body is asked`() async throws {
    // The body may come late.
    try await TestServer.open({ $0.limits.requestTime = 300 }) { server in
      let connection = try await RawConnection.open(
        port: server.addresses.authPort,
        saying: Self.signUp(length: 2, "Expect: 100-continue\r\n"))
      #expect(await connection.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      try await connection.send("{}")
      #expect(await connection.text(until: "expiresIn").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test(arguments: ["[::1].evil.example", "localhost:80@evil", "[::1", "localhost:x"])
  func `with a host that only begins like ours is refused what is ours`(
    host: String
  ) async throws {
    try await TestServer.open { server in
      let connection = try await RawConnection.open(
        port: server.addresses.authPort,
        saying: """
          GET /emulator/v1/projects/demo-hearth/switches HTTP/1.1\r
          Host: \(host)\r
          Connection: close\r
          \r

          """)
      #expect(await connection.text().hasPrefix("HTTP/1.1 403"))
    }
  }

  @Test func `of HTTP 1.0 ends after the answer`() async throws {
    try await TestServer.open { server in
      let port = server.addresses.authPort
      let first = try await RawConnection.open(port: port, saying: "GET / HTTP/1.0\r\n\r\n")
      // Comes back when the server closes.
      #expect(await first.text().contains("200 OK"))
      let request = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
      let second = try await RawConnection.open(port: port, saying: request)
      #expect(await second.text(until: Self.answered).contains("200 OK"))
      try await second.send(request)
      #expect(await second.text(until: Self.answered).contains("200 OK"))
    }
  }

  @Test(.timeLimit(.minutes(5))) func `that opens no stream of HTTP/2 is closed`() async throws {
    try await TestServer.open({ $0.limits.requestTime = 5 }) { server in
      let connection = try await RawConnection.open(
        port: server.addresses.firestorePort,
        saying: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0")
      // Comes back when the server closes, or when the time of the test is over.
      _ = await connection.text()
      #expect(!Task.isCancelled, "the server has not closed the connection")
    }
  }

  @Test func `that goes waits no longer`() async throws {
    try await TestServer.open { server in
      let connection = try await RawConnection.open(
        port: server.addresses.authPort,
        saying: """
          GET /emulator/v1/projects/demo-hearth/messages/latest?wait=60s HTTP/1.1\r
          Host: localhost\r
          \r

          """)
      try await connection.finish()
      // The clock is frozen: nothing else ends the wait.
      #expect(await connection.text().hasPrefix("HTTP/1.1 503"))
    }
  }

  @Test func `has no place to wait where half of the port waits already`() async throws {
    try await TestServer.open({ $0.limits.connections = 2 }) { server in
      let port = server.addresses.authPort
      let wait =
        "GET /emulator/v1/projects/demo-hearth/messages/latest?wait=60s HTTP/1.1\r\n"
        + "Host: localhost\r\nConnection: close\r\n\r\n"
      let connections = [
        try await RawConnection.open(port: port, saying: wait),
        try await RawConnection.open(port: port, saying: wait),
      ]
      try await withThrowingTaskGroup(of: String.self) { group in
        for connection in connections { group.addTask { await connection.text() } }
        // Nobody sees from outside which of the two has the place. It waits until there is a mail.
        let refused = try await group.next() ?? ""
        #expect(refused.hasPrefix("HTTP/1.1 503"))
        let sent = try await server.accounts(
          "sendOobCode", body: ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
        #expect(sent.status == 200, "\(sent.text)")
        let answered = try await group.next() ?? ""
        #expect(answered.hasPrefix("HTTP/1.1 200"))
      }
    }
  }

  @Test func `beyond the limit is served once another one closes`() async throws {
    try await TestServer.open({ $0.limits.connections = 2 }) { server in
      let port = server.addresses.authPort
      let first = try await RawConnection.open(port: port, saying: Self.request)
      let second = try await RawConnection.open(port: port, saying: Self.request)
      for connection in [first, second] {
        #expect(await connection.text(until: Self.answered).contains("200 OK"))
      }
      // The kernel accepts it, and the server does not read it yet.
      let third = try await RawConnection.open(port: port, saying: Self.request)
      await first.close()
      #expect(await third.text(until: Self.answered).contains("200 OK"))
    }
  }
}
