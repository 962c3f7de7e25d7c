import HearthTestSupport
import NIOHTTP1
import Testing

/// Firestore's SDK in browsers, on a page that another server has sent.
@Suite struct `A channel from a page of another origin` {
  private static let path = "/google.firestore.v1.Firestore/Listen/channel"
  private static let origin = ("Origin", "http://localhost:5000")

  @Test(
    arguments: [
      ("POST", "VER=8&RID=1", "count=0", 200), ("POST", "VER=8&SID=nobody", "count=0", 400),
      ("POST", "VER=8&SID=nobody&TYPE=terminate", "", 200),
      ("GET", "VER=8&SID=nobody&RID=rpc", nil, 400),
      ("GET", "VER=8&RID=rpc", nil, 400), ("PUT", "VER=8&SID=nobody", "", 405),
    ] as [(String, String, String?, Int)])
  func `lets it read every answer with credentials`(
    method: String, query: String, body: String?, status: Int
  ) async throws {
    try await TestServer.open { server in
      let reply = try await server.firestore.send(
        method, path: "\(Self.path)?\(query)", body: body, headers: [Self.origin])
      #expect(reply.status == status)
      #expect(reply.headers["access-control-allow-origin"] == ["http://localhost:5000"])
      #expect(reply.headers["access-control-allow-credentials"] == ["true"])
      #expect(reply.headers["vary"] == ["Origin"])
      #expect(
        reply.headers["access-control-expose-headers"].contains { $0.contains("X-HTTP-Session-Id") }
      )
    }
  }

  @Test func `lets it read a stream`() async throws {
    try await TestServer.open { server in
      let opened = try await server.firestore.send(
        "POST", path: "\(Self.path)?VER=8&RID=1", body: "count=0", headers: [Self.origin])
      let id = try #require(opened.text.split(separator: "\"").dropFirst(3).first)
      // A buffered GET ends with its first chunk, which is the end of the stream.
      async let heard = server.firestore.send(
        "GET", path: "\(Self.path)?VER=8&SID=\(id)&RID=rpc&AID=0&CI=1", headers: [Self.origin])
      _ = try await server.firestore.send(
        "POST", path: "\(Self.path)?VER=8&SID=\(id)&RID=2", body: "count=1&ofs=0&req0___data__=x")
      let reply = try await heard
      #expect(reply.status == 200)
      #expect(reply.headers["access-control-allow-origin"] == ["http://localhost:5000"])
    }
  }

  @Test func `answers its preflight request`() async throws {
    try await TestServer.open { server in
      let reply = try await server.firestore.send(
        "OPTIONS", path: "\(Self.path)?VER=8",
        headers: [
          Self.origin, ("Access-Control-Request-Method", "POST"),
          ("Access-Control-Request-Headers", "authorization,x-goog-api-client"),
        ])
      #expect(reply.status == 204)
      #expect(
        reply.headers["access-control-allow-headers"] == ["authorization,x-goog-api-client"])
      #expect(reply.headers["access-control-allow-methods"].joined().contains("POST"))
      #expect(reply.headers["access-control-allow-credentials"] == ["true"])
      #expect(reply.headers["access-control-max-age"] == ["3600"])
      #expect(reply.headers["vary"] == ["Origin, Access-Control-Request-Headers"])
    }
  }

  @Test func `is open to programs without a page`() async throws {
    try await TestServer.open { server in
      let reply = try await server.firestore.send(
        "POST", path: "\(Self.path)?VER=8&RID=1", body: "count=0")
      #expect(reply.status == 200)
      #expect(reply.headers["access-control-allow-origin"].isEmpty)
    }
  }
}
