import HearthTestSupport
import Testing

@testable import HearthWebChannel

@Suite(.timeLimit(.minutes(30))) struct `The end of a stream` {
  @Test func `is sent to a client when all is well`() async throws {
    let server = WebChannelServer { _, _, send in await send("{}") }
    let client = try Client(server)
    let heard = await client.allHeard()
    #expect(heard.contains(#",[{}]]"#))
    #expect(heard.hasSuffix(#",["close"]]]"#))
  }

  @Test func `is sent to a client as a status`() async throws {
    let server = WebChannelServer { _, _, _ in
      throw ChannelFailure(code: 403, status: "PERMISSION_DENIED", message: "No \"é\"")
    }
    let client = try Client(server)
    let error = #"{"code":403,"status":"PERMISSION_DENIED","message":"No \"\u00e9\""}"#
    #expect(await client.allHeard().hasSuffix(#",[{"error":\#(error)}]]]"#))
  }

  @Test func `does not show an error of ours`() async throws {
    struct Secret: Error {}
    let client = try Client(WebChannelServer { _, _, _ in throw Secret() })
    let error = #"{"code":500,"status":"INTERNAL","message":"The stream failed."}"#
    #expect(await client.allHeard().hasSuffix(#",[{"error":\#(error)}]]]"#))
  }

  @Test func `is over when its last word is acknowledged`() async throws {
    let server = WebChannelServer { _, _, _ in }
    let client = try Client(server)
    _ = await client.allHeard()
    #expect(client.say("count=1&ofs=1&req0___data__=late")?.status == 200)
    #expect(client.listen(acknowledging: 9) == nil)
    #expect(server.sessionCount == 0)
    #expect(client.say("count=0")?.status == 400)
    #expect(client.hangUp()?.status == 200)
  }

  @Test(arguments: ["POST", "GET"])
  func `comes when the client says so`(method: String) async throws {
    let (ends, ended) = AsyncStream<Void>.makeStream()
    let server = WebChannelServer(clock: ManualClock()) { _, messages, _ in
      for await _ in messages {}
      ended.yield()
    }
    let client = try Client(server)
    let answer = try #require(client.listen())
    #expect(await answer.next() != nil)
    async let end = answer.next()
    // A page that goes away may have nothing better than an image's address.
    let request = ChannelRequest(
      method: method, path: Client.path, query: "VER=8&SID=\(client.id)&RID=9&TYPE=terminate")
    #expect(Whole(server.respond(to: request))?.status == 200)
    #expect(await end == nil)
    for await _ in ends { break }
    #expect(server.sessionCount == 0)
    #expect(client.hangUp()?.status == 200)
  }

  @Test func `comes when the client stays away`() async throws {
    let clock = ManualClock()
    let (ends, ended) = AsyncStream<Void>.makeStream()
    let server = WebChannelServer(clock: clock) { _, messages, _ in
      for await _ in messages {}
      ended.yield()
    }
    let client = try Client(server)
    await clock.advance(by: .seconds(119), whenWaitingFor: [.seconds(120)])
    #expect(client.say("count=0")?.status == 200)
    await clock.advance(by: .seconds(119), whenWaitingFor: [.seconds(120)])
    #expect(server.sessionCount == 1)
    await clock.advance(by: .seconds(1), whenWaitingFor: [.seconds(1)])
    for await _ in ends { break }
    await server.isEmptied()
    #expect(server.sessionCount == 0)
  }

  @Test func `does not come while a GET is open`() async throws {
    let clock = ManualClock()
    let server = WebChannelServer(keepAlive: .seconds(300), clock: clock, handler: silence)
    let client = try Client(server)
    let answer = try #require(client.listen())
    #expect(await answer.next() != nil)
    async let chunk = answer.next()
    await clock.advance(by: .seconds(120), whenWaitingFor: [.seconds(120), .seconds(300)])
    await clock.advance(by: .seconds(180), whenWaitingFor: [.seconds(180)])
    #expect(await chunk == frame(#"[[2,["noop"]]]"#))
    #expect(server.sessionCount == 1)
  }

  @Test func `comes with the server's`() async throws {
    let server = WebChannelServer(clock: ManualClock(), handler: silence)
    let client = try Client(server)
    let answer = try #require(client.listen())
    #expect(await answer.next() != nil)
    async let end = answer.next()
    server.shutDown()
    #expect(await end == nil)
    #expect(server.sessionCount == 0)
    #expect(Whole(server.respond(to: .post("RID=1", body: "count=0")))?.status == 503)
  }
}

extension Client {
  /// All frames of a stream that ends.
  fileprivate func allHeard() async -> String {
    var heard = ""
    guard let answer = listen() else { return "" }
    while let chunk = await answer.next() { heard += chunk }
    return heard
  }
}
