import HearthTestSupport
import Testing

@testable import HearthWebChannel

/// Clocks stand still until a test moves them: on a busy machine, more time may pass between two of
/// its lines than a GET stays silent.
@Suite(.timeLimit(.minutes(30))) struct `The back channel` {
  private let stage = Stage()

  @Test func `brings everything after the acknowledged array as one chunk`() async throws {
    let client = try Client(stage.server(saying: 3))
    await stage.hasSpoken()
    let answer = try #require(client.listen())
    #expect(await answer.next() == frame(#"[[1,[1]],[2,[2]],[3,[3]]]"#))
    #expect(answer.headers["content-length"] == nil)
    #expect(answer.headers["x-accel-buffering"] == "no")
    #expect(answer.headers["cache-control"] == "no-cache")
  }

  @Test func `stays open for what comes later`() async throws {
    let client = try Client(WebChannelServer(clock: ManualClock(), handler: echo), first: "a")
    let answer = try #require(client.listen(acknowledging: -1))
    var heard = await answer.next() ?? ""
    if !heard.contains("echo") { heard += await answer.next() ?? "" }
    _ = client.say("count=1&ofs=1&req0___data__=b")
    #expect(await answer.next() == frame(#"[[2,[{"echo":"b"}]]]"#))
  }

  @Test func `sends again what was not acknowledged`() async throws {
    let client = try Client(stage.server(saying: 2))
    await stage.hasSpoken()
    #expect(await client.listen()?.next() == frame(#"[[1,[1]],[2,[2]]]"#))
    #expect(await client.listen()?.next() == frame(#"[[1,[1]],[2,[2]]]"#))
    #expect(await client.listen(acknowledging: 1)?.next() == frame(#"[[2,[2]]]"#))
  }

  @Test func `forgets what a POST acknowledges`() async throws {
    let client = try Client(stage.server(saying: 2))
    await stage.hasSpoken()
    #expect(await client.listen()?.next() != nil)
    _ = client.say("count=0", acknowledging: 1)
    #expect(await client.listen()?.next() == frame(#"[[2,[2]]]"#))
  }

  @Test func `does not believe in what it never sent`() async throws {
    let client = try Client(stage.server(saying: 2))
    await stage.hasSpoken()
    #expect(
      await client.listen(acknowledging: 99)?.next() == frame(#"[[1,[1]],[2,[2]]]"#))
  }

  @Test func `shows at once that bytes come through`() async throws {
    let client = try Client(WebChannelServer(clock: ManualClock(), handler: silence))
    #expect(await client.listen()?.next() == frame(#"[[1,["noop"]]]"#))
  }

  @Test func `keeps an idle GET alive`() async throws {
    let clock = ManualClock()
    let client = try Client(WebChannelServer(clock: clock, handler: silence))
    let answer = try #require(client.listen())
    #expect(await answer.next() == frame(#"[[1,["noop"]]]"#))
    for id in 2...3 {
      async let chunk = answer.next()
      let expiry: Duration = id == 2 ? .seconds(120) : .seconds(90)
      await clock.advance(by: .seconds(30), whenWaitingFor: [.seconds(30), expiry])
      #expect(await chunk == frame("[[\(id),[\"noop\"]]]"))
    }
  }

  @Test(arguments: [("CI=1", 30), ("CI=1&TO=5000", 5), ("CI=1&TO=90000", 30)])
  func `ends a buffered GET after a noop`(query: String, seconds: Int) async throws {
    let clock = ManualClock()
    let client = try Client(WebChannelServer(clock: clock, handler: silence))
    let answer = try #require(client.listen(acknowledging: 0, query))
    async let chunk = answer.next()
    await clock.advance(
      by: .seconds(seconds), whenWaitingFor: [.seconds(seconds), .seconds(120)])
    #expect(await chunk == frame(#"[[1,["noop"]]]"#))
    #expect(await answer.next() == nil)
  }

  @Test func `ends a buffered GET after its first chunk`() async throws {
    let client = try Client(stage.server(saying: 2))
    await stage.hasSpoken()
    let answer = try #require(client.listen(acknowledging: 0, "CI=1"))
    #expect(await answer.next() == frame(#"[[1,[1]],[2,[2]]]"#))
    #expect(await answer.next() == nil)
    #expect(client.say("count=0")?.text.contains("[0,2,") == true)
  }

  @Test func `ends a GET that another one replaces`() async throws {
    let client = try Client(WebChannelServer(clock: ManualClock(), handler: silence))
    let old = try #require(client.listen())
    #expect(await old.next() != nil)
    async let end = old.next()
    let new = try #require(client.listen())
    #expect(await end == nil)
    #expect(await new.next() == frame(#"[[1,["noop"]]]"#))
    #expect(client.say("count=0")?.text.contains("[1,1,") == true)
  }

  @Test func `ends a GET after a while, so that the client acknowledges`() async throws {
    var limits = ChannelLimits()
    limits.arraysPerAnswer = 2
    let client = try Client(stage.server(saying: 3, limits))
    await stage.hasSpoken()
    let answer = try #require(client.listen())
    #expect(await answer.next() == frame(#"[[1,[1]],[2,[2]],[3,[3]]]"#))
    #expect(await answer.next() == nil)
  }

  @Test func `knows when the client has gone`() async throws {
    let client = try Client(WebChannelServer(clock: ManualClock(), handler: silence))
    let answer = try #require(client.listen())
    #expect(await answer.next() != nil)
    let reading = Task { await answer.next() }
    reading.cancel()
    #expect(await reading.value == nil)
    #expect(client.say("count=0")?.text.contains("[0,") == true)
  }

  @Test func `ends when the connection does`() async throws {
    let client = try Client(WebChannelServer(clock: ManualClock(), handler: silence))
    let answer = try #require(client.listen())
    #expect(await answer.next() != nil)
    async let end = answer.next()
    answer.chunks.hangUp()
    #expect(await end == nil)
    #expect(client.say("count=0")?.text.contains("[0,") == true)
  }

  @Test func `knows when nobody reads`() throws {
    let client = try Client(WebChannelServer(clock: ManualClock(), handler: silence))
    #expect(client.listen() != nil)
    #expect(client.say("count=0")?.text.contains("[0,") == true)
  }
}

/// Where a handler says all it has to say before anyone listens.
private struct Stage {
  private let words: AsyncStream<Void>
  private let spoken: AsyncStream<Void>.Continuation

  init() { (words, spoken) = AsyncStream<Void>.makeStream() }

  /// A server that says the numbers from 1 on, then nothing.
  func server(saying count: Int, _ limits: ChannelLimits = ChannelLimits()) -> WebChannelServer {
    WebChannelServer(limits: limits, clock: ManualClock()) { [spoken] _, messages, send in
      for number in 1...count { await send("\(number)") }
      spoken.yield()
      for await _ in messages {}
    }
  }

  func hasSpoken() async {
    for await _ in words { return }
  }
}
