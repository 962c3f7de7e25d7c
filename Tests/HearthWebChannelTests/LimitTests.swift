import HearthTestSupport
import Synchronization
import Testing

@testable import HearthWebChannel

@Suite(.timeLimit(.minutes(30))) struct `Limits` {
  @Test func `bound the sessions`() throws {
    var limits = ChannelLimits()
    limits.sessions = 1
    let server = WebChannelServer(limits: limits, handler: silence)
    let client = try Client(server)
    #expect(Whole(server.respond(to: .post("RID=1", body: "count=0")))?.status == 503)
    _ = client.hangUp()
    #expect(Whole(server.respond(to: .post("RID=1", body: "count=0")))?.status == 200)
  }

  @Test(arguments: [true, false])
  func `let a sender wait for the client`(inArrays: Bool) async throws {
    let server = flood(inArrays ? limits(arrays: 3) : limits(bytes: 30))
    let client = try Client(server)
    var last = 0
    var heard = 0
    while heard < 20 {
      let chunk = try #require(await client.listen(acknowledging: last, "CI=1")?.next())
      let count =
        chunk.split(separator: #"[{"word":1}]"#, omittingEmptySubsequences: false).count - 1
      #expect(count <= 3)
      heard += count
      last += count
    }
    #expect(heard == 20)
  }

  @Test func `end a stream whose client takes nothing`() async throws {
    let clock = ManualClock()
    let server = flood(limits(arrays: 3), clock: clock)
    let client = try Client(server)
    let answer = try #require(client.listen())
    // The GET has made room for one more: with the third the sender's last wait begins.
    var heard = ""
    while !heard.contains("[3,") {
      let chunk = try #require(await answer.next())
      heard += chunk
    }
    async let end: Void = { while await answer.next() != nil {} }()
    // The GET holds the session, so that it is the sender that gives up.
    await clock.advance(
      by: .seconds(120), whenWaitingFor: [.seconds(120), .seconds(120), .seconds(600)])
    await end
    await server.isEmptied()
    #expect(server.sessionCount == 0)
  }

  @Test func `end a stream whose handler does not listen`() throws {
    let server = WebChannelServer(limits: limits(messages: 3)) { _, _, send in
      try await Task.sleep(for: .seconds(3600))
    }
    let client = try Client(server)
    #expect(client.say("count=2&ofs=1&req0___data__=a&req1___data__=b")?.status == 200)
    #expect(client.say("count=1&ofs=3&req0___data__=c")?.status == 400)
    #expect(server.sessionCount == 0)
  }

  private func limits(
    arrays: Int = 1000, bytes: Int = 1000, messages: Int = 1000
  ) -> ChannelLimits {
    var limits = ChannelLimits()
    limits.arrays = arrays
    limits.bytes = bytes
    limits.messages = messages
    return limits
  }

  /// Says twenty things of twelve bytes each.
  private func flood(
    _ limits: ChannelLimits, clock: any Clock<Duration> = ManualClock()
  ) -> WebChannelServer {
    WebChannelServer(keepAlive: .seconds(600), limits: limits, clock: clock) { _, messages, send in
      for _ in 0..<20 { await send(#"{"word":1}"#) }
      for await _ in messages {}
    }
  }
}
