import HearthTestSupport
import Testing

@testable import HearthWebChannel

@Suite struct `The forward channel` {
  /// Its first message is `a`. The clock stands still: on a busy machine the echo may come later
  /// than what keeps a silent GET alive.
  private func echoing() throws -> Client {
    try Client(WebChannelServer(clock: ManualClock(), handler: echo), first: "a")
  }

  @Test func `takes several messages at once, in their order`() async throws {
    let client = try echoing()
    #expect(client.say("count=2&ofs=1&req0___data__=b&req1___data__=c")?.status == 200)
    await #expect(client.hear(3) == ["a", "b", "c"])
  }

  @Test func `drops what it has seen`() async throws {
    let client = try echoing()
    for _ in 0..<2 { _ = client.say("count=1&ofs=1&req0___data__=b") }
    _ = client.say("count=3&ofs=0&req0___data__=a&req1___data__=b&req2___data__=c")
    await #expect(client.hear(3) == ["a", "b", "c"])
  }

  @Test func `counts a number that carries nothing`() async throws {
    let client = try echoing()
    _ = client.say("count=2&ofs=1&req1___data__=b")
    _ = client.say("count=1&ofs=3&req0___data__=c")
    await #expect(client.hear(3) == ["a", "b", "c"])
  }

  @Test func `reports a missing GET`() throws {
    let client = try Client(WebChannelServer(handler: silence))
    #expect(client.say("count=0")?.text == "7\n[0,0,0]")
  }

  @Test func `reports what is on its way`() async throws {
    let client = try echoing()
    let answer = try #require(client.listen(acknowledging: -1))
    var heard = ""
    while !heard.contains("echo") { heard += await answer.next() ?? "" }
    // Nothing but the greeting is acknowledged; the echo is `[{"echo":"a"}]`.
    #expect(client.say("count=0", acknowledging: 0)?.text == frame("[1,1,14]"))
    #expect(client.say("count=0", acknowledging: 1)?.text == frame("[1,1,0]"))
  }

  @Test func `is lost where messages are missing`() throws {
    let server = WebChannelServer(handler: echo)
    let client = try Client(server)
    #expect(client.say("count=1&ofs=2&req0___data__=c")?.status == 400)
    #expect(server.sessionCount == 0)
  }

  @Test func `answers an unknown session as the client expects`() throws {
    let server = WebChannelServer(handler: echo)
    let reply = try #require(Whole(server.respond(to: .post("SID=nobody&AID=0", body: "count=0"))))
    #expect(reply.status == 400)
    let range = try #require(reply.text.firstRange(of: "Unknown SID"))
    #expect(range.lowerBound > reply.text.startIndex)
    let get = try #require(Whole(server.respond(to: .get("SID=nobody&RID=rpc&AID=0"))))
    #expect(get == reply)
  }

  @Test func `keeps the sessions of one path from another`() throws {
    let client = try Client(WebChannelServer(handler: echo))
    var request = ChannelRequest.post("SID=\(client.id)&AID=0", body: "count=0")
    request.path = "/google.firestore.v1.Firestore/Write/channel"
    #expect(Whole(client.server.respond(to: request))?.status == 400)
    #expect(client.say("count=0")?.status == 200)
  }
}

extension Client {
  /// What the echo says, by GETs that end after their first chunk.
  func hear(_ count: Int) async -> [String] {
    var texts: [String] = []
    var last = 0
    while texts.count < count, let chunk = await listen(acknowledging: last, "CI=1")?.next() {
      for part in chunk.split(separator: "[{\"echo\":\"").dropFirst() {
        texts.append(String(part.prefix { $0 != "\"" }))
        last += 1
      }
    }
    return texts
  }
}
