import Testing

@testable import HearthWebChannel

@Suite struct `Pages of another origin` {
  private let origin = [ChannelHeader("Origin", "http://localhost:5000")]

  @Test(arguments: [
    ChannelRequest.post("RID=1", "count=0"), .post("SID=nobody", "count=0"),
    .post("SID=nobody&TYPE=terminate", ""), .get("SID=nobody&RID=rpc"), .get("RID=rpc"),
  ])
  func `may read every answer with credentials`(request: ChannelRequest) throws {
    var request = request
    request.headers = origin
    let reply = try #require(
      Whole(WebChannelServer(handler: silence).respond(to: request)))
    #expect(reply.headers["access-control-allow-origin"] == "http://localhost:5000")
    #expect(reply.headers["access-control-allow-credentials"] == "true")
    #expect(reply.headers["vary"] == "Origin")
    #expect(reply.headers["access-control-expose-headers"]?.contains("X-HTTP-Session-Id") == true)
  }

  @Test func `may read a stream`() throws {
    let client = try Client(WebChannelServer(handler: silence))
    let reply = client.server.respond(to: .get("SID=\(client.id)&RID=rpc&AID=0&CI=0", origin))
    guard case .stream(200, let headers, _) = reply else {
      Issue.record("\(reply) is no stream")
      return
    }
    #expect(headers["access-control-allow-origin"] == "http://localhost:5000")
  }

  @Test func `are told what they may ask`() throws {
    let request = ChannelRequest(
      method: "OPTIONS", path: Client.path, query: "VER=8",
      headers: origin + [
        ChannelHeader("Access-Control-Request-Method", "POST"),
        ChannelHeader("Access-Control-Request-Headers", "authorization,x-goog-api-client"),
      ])
    let reply = try #require(
      Whole(WebChannelServer(handler: silence).respond(to: request)))
    #expect(reply.status == 204)
    #expect(reply.headers["access-control-allow-headers"] == "authorization,x-goog-api-client")
    #expect(reply.headers["access-control-allow-methods"] == "GET, POST, OPTIONS")
    #expect(reply.headers["vary"] == "Origin, Access-Control-Request-Headers")
  }

  @Test func `are not the only ones`() throws {
    let reply = try #require(
      Whole(WebChannelServer(handler: silence).respond(to: .post("RID=1", "count=0"))))
    #expect(reply.headers["access-control-allow-origin"] == nil)
    #expect(reply.headers["vary"] == "Origin")
  }

  @Test(arguments: ["PUT", "DELETE", "PATCH", "HEAD"])
  func `cannot use other methods`(method: String) {
    let request = ChannelRequest(method: method, path: Client.path, query: "VER=8&SID=x")
    #expect(
      Whole(WebChannelServer(handler: silence).respond(to: request))?.status == 405)
  }
}
