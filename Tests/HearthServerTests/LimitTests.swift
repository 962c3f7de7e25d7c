import HearthServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A connection` {
  private static let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
  /// The end of the answer to `GET /`.
  private static let answered = "\"apiSpec\""

  @Test func `whose request does not come to its end is cut off`() async throws {
    try await House.open({ $0.limits.requestTime = 1 }) { house in
      let connection = try await RawConnection.open(port: house.addresses.authPort)
      try await connection.send(
        """
        POST /identitytoolkit.googleapis.com/v1/accounts:signUp?key=a HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Content-Length: 100\r
        \r
        {"email":
        """)
      let answer = await connection.text()
      #expect(!answer.contains("200 OK"))
      let next = try await house.send("GET", "/")
      #expect(next.status == 200)
    }
  }

  @Test func `beyond the limit is served once another one closes`() async throws {
    try await House.open({ $0.limits.connections = 2 }) { house in
      let port = house.addresses.authPort
      let first = try await RawConnection.open(port: port)
      let second = try await RawConnection.open(port: port)
      for connection in [first, second] {
        try await connection.send(Self.request)
        #expect(await connection.text(until: Self.answered).contains("200 OK"))
      }
      // The kernel accepts it, and the server does not read it yet.
      let third = try await RawConnection.open(port: port)
      try await third.send(Self.request)
      try await first.close()
      #expect(await third.text(until: Self.answered).contains("200 OK"))
    }
  }
}
