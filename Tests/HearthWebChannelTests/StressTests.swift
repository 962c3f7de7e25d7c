import Synchronization
import Testing

@testable import HearthWebChannel

@Suite(.timeLimit(.minutes(30))) struct `Many streams at once` {
  @Test func `lose nothing over broken connections`() async throws {
    var limits = ChannelLimits()
    limits.arrays = 8
    limits.arraysPerAnswer = 5
    let server = WebChannelServer(limits: limits, handler: echo)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { try await converse(server) } }
      try await group.waitForAll()
    }
    #expect(server.sessionCount == 0)
  }

  /// Speaks while it listens; every third GET breaks.
  private func converse(_ server: WebChannelServer) async throws {
    let client = try Client(server, first: "0")
    let echoes = Echoes()
    async let speech: Void = {
      for number in 1..<60 {
        // The handler has room for eight messages that it has not read, and may be late.
        while number - echoes.count >= 8, !Task.isCancelled { await Task.yield() }
        #expect(client.say("count=1&ofs=\(number)&req0___data__=\(number)")?.status == 200)
        await Task.yield()
      }
    }()
    var heard: [String] = []
    var last = 0
    var attempt = 0
    while heard.count < 60 {
      attempt += 1
      let way = ["CI=0", "CI=1", "CI=0"][attempt % 3]
      let answer = try #require(client.listen(acknowledging: last, way))
      while heard.count < 60, let chunk = await answer.next() {
        // Lost on its way.
        if attempt % 3 == 2 { break }
        for (id, text) in arrays(chunk) where id > last {
          #expect(id == last + 1)
          last = id
          if let text {
            heard.append(text)
            echoes.add()
          }
        }
      }
      if attempt % 2 == 0 { answer.chunks.hangUp() }
    }
    await speech
    #expect(heard == (0..<60).map(String.init))
    #expect(client.hangUp()?.status == 200)
  }

  /// The ids of a frame's arrays and what was repeated in them.
  private func arrays(_ chunk: String) -> [(Int, String?)] {
    chunk.matches(of: /\[(\d+),\[(?:{"echo":"(\d+)"}|"noop")\]\]/).map { match in
      (Int(match.1) ?? -1, match.2.map(String.init))
    }
  }
}

/// How many messages have come back to a client.
private final class Echoes: Sendable {
  private let heard = Mutex(0)

  var count: Int { heard.withLock { $0 } }
  func add() { heard.withLock { $0 += 1 } }
}
