import HearthTestSupport
import HearthWire
import Synchronization
import Testing

@testable import HearthWebChannel

@Suite struct `Shaking hands` {
  @Test func `names the session in one frame`() throws {
    let server = WebChannelServer(keepAlive: .seconds(20), handler: silence)
    let reply = try #require(
      Whole(server.respond(to: .post("RID=7&CVER=22", body: "count=0&ofs=0"))))
    #expect(reply.status == 200)
    #expect(reply.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(reply.headers["cache-control"] == "no-cache")
    #expect(reply.headers["x-client-wire-protocol"] == nil)
    let id = try #require(reply.text.split(separator: #"""#).dropFirst(3).first)
    #expect(id.count == 24)
    #expect(reply.text == frame(#"[[0,["c","\#(id)","",8,12,20000]]]"#))
    #expect(server.sessionCount == 1)
    server.shutDown()
  }

  @Test func `hands over the headers written into the body`() async throws {
    let headers = "Authorization%3ABearer%20a.b%0D%0AX-Goog-Api-Client%3A%20gl-js%2F%20x%0D%0A"
    let opening = try await opening(
      "RID=7", body: "headers=\(headers)&count=0&ofs=0",
      headers: [
        ChannelHeader("authorization", value: "Bearer old"),
        ChannelHeader("User-Agent", value: "Firefox"),
      ])
    #expect(
      opening.headers == [
        ChannelHeader("Authorization", value: "Bearer a.b"),
        ChannelHeader("X-Goog-Api-Client", value: "gl-js/ x"),
        ChannelHeader("User-Agent", value: "Firefox"),
      ])
    #expect(opening.path == Client.path)
    #expect(opening.parameters["database"] == "projects/p/databases/(default)")
  }

  @Test func `hands over the headers older SDKs write into the address`() async throws {
    let opening = try await opening(
      "RID=7&%24httpHeaders=Authorization%3ABearer%20old.sdk%0D%0A", body: "count=0")
    #expect(opening.headers["authorization"] == "Bearer old.sdk")
  }

  @Test func `falls back to the request's own headers`() async throws {
    let opening = try await opening(
      "RID=7", body: "", headers: [ChannelHeader("Authorization", value: "Bearer real")])
    #expect(opening.headers["authorization"] == "Bearer real")
  }

  @Test func `brings the first message`() async throws {
    let server = WebChannelServer(clock: ManualClock(), handler: echo)
    let client = try Client(server, first: "%7B+%2B%c3%A9%7D")
    let answer = try #require(client.listen(acknowledging: 0, "CI=1"))
    #expect(await answer.next() == frame(##"[[1,[{"echo":"{ +\u00e9}"}]]]"##))
    #expect(await answer.next() == nil)
  }

  @Test(arguments: [
    ("VER=7", "count=0"), ("", "count=0"), ("VER=8", "count=-1"), ("VER=8", "count=1001"),
    ("VER=8", "count=x"), ("VER=8", "count=1&ofs=3"), ("VER=8", "ofs=99999999999999999999"),
  ])
  func `is refused where it makes no sense`(query: String, body: String) {
    let server = WebChannelServer(handler: silence)
    let request = ChannelRequest(
      method: "POST", path: Client.path, query: query, body: Array(body.utf8))
    #expect(Whole(server.respond(to: request))?.status == 400)
    #expect(server.sessionCount == 0)
  }

  private func opening(
    _ query: String, body: String, headers: [ChannelHeader] = []
  ) async throws -> ChannelOpening {
    let (openings, heard) = AsyncStream<ChannelOpening>.makeStream()
    let server = WebChannelServer { opening, _, _ in heard.yield(opening) }
    #expect(Whole(server.respond(to: .post(query, body: body, headers: headers)))?.status == 200)
    var iterator = openings.makeAsyncIterator()
    return try #require(await iterator.next())
  }
}
