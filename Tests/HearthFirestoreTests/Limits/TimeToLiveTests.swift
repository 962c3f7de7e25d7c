import Foundation
import HearthCrypto
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthTestSupport
import HearthTime
import SwiftProtobuf
import Synchronization
import Testing

/// Documents that end by themselves.
@Suite struct `Time to live` {
  /// What the clocks of tests show at first.
  private static let start: Int64 = 1_800_000_000

  private static func time(_ seconds: Int64) -> Value {
    .with { $0.timestampValue = .with { $0.seconds = start + seconds } }
  }

  private static func rig(
    observer: (any CommitObserver)? = nil, _ change: @Sendable (inout Switches) -> Void = { _ in }
  ) throws -> Rig {
    let rig = try Rig(change, observer: observer)
    rig.firestore.timeToLive.set(["c": "end", "n": "a.end"], of: Rig.database)
    return rig
  }

  private static func advance(_ rig: Rig, by seconds: Int) async throws {
    rig.clocks.advance("demo", by: .seconds(seconds))
    try await rig.firestore.timeToLive.expire("demo", firestore: rig.firestore)
  }

  @Test func `ends when its time has come, and not before`() async throws {
    let rig = try Self.rig()
    try await rig.set([
      "c/now": ["end": Self.time(0)], "c/soon": ["end": Self.time(10)],
      "c/later": ["end": Self.time(11)], "c/past": ["end": Self.time(-2_000_000_000)],
      "c/none": ["n": 1], "c/null": ["end": .with { $0.nullValue = .nullValue }],
      "c/text": ["end": "2020-01-01T00:00:00Z"], "c/number": ["end": 1],
      "c/list": ["end": .with { $0.arrayValue.values = [Self.time(0)] }],
      "other/a": ["end": Self.time(0)], "c/soon/sub/a": ["end": Self.time(0)],
      "x/y/c/deep": ["end": Self.time(10)],
      "n/a": ["a": .with { $0.mapValue.fields = ["end": Self.time(10)] }],
      "n/b": ["end": Self.time(10)],
    ])
    try await Self.advance(rig, by: 9)
    #expect(
      try await rig.ids(.of("c"))
        == ["later", "list", "none", "null", "number", "soon", "text"])
    try await Self.advance(rig, by: 1)
    #expect(
      try await rig.ids(.of("c", everywhere: true))
        == ["later", "list", "none", "null", "number", "text"])
    #expect(try await rig.ids(.of("n")) == ["b"])
    #expect(try await rig.ids(.of("other")) == ["a"])
    #expect(try await rig.ids(.of("sub", everywhere: true)) == ["a"])
    try await Self.advance(rig, by: 1)
    #expect(try await !rig.ids(.of("c")).contains("later"))
  }

  @Test func `is that of the latest write`() async throws {
    let rig = try Self.rig()
    try await rig.set(["c/a": ["end": Self.time(10)], "c/b": ["end": Self.time(10)]])
    try await rig.set(["c/a": ["end": Self.time(20)]])
    try await Self.advance(rig, by: 10)
    #expect(try await rig.ids(.of("c")) == ["a"])
    // A write that brings an earlier time is noticed.
    try await rig.set(["c/b": ["end": Self.time(12)]])
    try await Self.advance(rig, by: 2)
    #expect(try await rig.ids(.of("c")) == ["a"])
  }

  @Test func `ends for many at once`() async throws {
    let rig = try Self.rig()
    for number in 0..<450 {
      try await rig.set([
        "c/\(number)": ["end": Self.time(10)],
        "p/\(number)/c/x": ["end": Self.time(number.isMultiple(of: 2) ? 10 : 20)],
      ])
    }
    try await Self.advance(rig, by: 10)
    #expect(try await rig.ids(.of("c")).isEmpty)
    #expect(try await rig.ids(.of("c", everywhere: true)).count == 225)
  }

  @Test func `is known in advance, as far as little work tells`() async throws {
    let rig = try Self.rig()
    try await rig.set([
      "c/a": ["end": Self.time(20)], "c/b": ["end": Self.time(10)], "c/none": ["end": 1],
      "x/y/c/deep": ["end": Self.time(5)], "other/a": ["end": Self.time(1)],
      "n/a": ["a": .with { $0.mapValue.fields = ["end": Self.time(7)] }],
    ])
    func upcoming() throws -> [String] {
      try rig.firestore.upcomingDeletions(of: "demo").map {
        "\($0.group).\($0.field) \($0.count) \($0.at.seconds - Self.start) \($0.isCut)"
      }
    }
    #expect(try upcoming() == ["c.end 3 5 false", "n.a.end 1 7 false"])
    try await Self.advance(rig, by: 6)
    #expect(try upcoming() == ["n.a.end 1 7 false", "c.end 2 10 false"])
    #expect(try rig.firestore.upcomingDeletions(of: "other").isEmpty)
    for number in 0..<501 {
      try await rig.set(["p/\(number)/c/x": ["end": Self.time(1000 - Int64(number))]])
    }
    #expect(try upcoming().last == "c.end 501 10 true")
  }

  @Test(arguments: [(Switches.TimeToLive.delayed, [110]), (.never, []), (.immediate, [10])])
  func `is known in advance with its delay`(
    _ mode: Switches.TimeToLive, _ times: [Int64]
  ) async throws {
    let rig = try Self.rig {
      $0.timeToLive = mode
      $0.timeToLiveDelay = 100
    }
    try await rig.set(["c/a": ["end": Self.time(10)]])
    let upcoming = try rig.firestore.upcomingDeletions(of: "demo")
    #expect(upcoming.map { $0.at.seconds - Self.start } == times)
  }

  @Test(arguments: [Switches.TimeToLive.delayed, .never])
  func `may be delayed, or count for nothing`(_ mode: Switches.TimeToLive) async throws {
    let rig = try Self.rig {
      $0.timeToLive = mode
      $0.timeToLiveDelay = 100
    }
    try await rig.set(["c/a": ["end": Self.time(10)]])
    try await Self.advance(rig, by: 109)
    #expect(try await rig.ids(.of("c")) == ["a"])
    try await Self.advance(rig, by: 1)
    #expect(try await rig.ids(.of("c")) == (mode == .never ? ["a"] : []))
  }

  @Test func `is not of databases without a policy`() async throws {
    let rig = try Self.rig()
    let other = DatabaseName(project: "demo", database: "other")
    let write = Write.with {
      $0.update.name = "\(other.documents)/c/a"
      $0.update.fields = ["end": Self.time(0)]
    }
    _ = try await rig.commit([write], database: other)
    try await Self.advance(rig, by: 10)
    #expect(try await rig.ids(.of("c"), parent: other.documents) == ["a"])
    rig.firestore.timeToLive.set(["c": "end"], of: other)
    try await Self.advance(rig, by: 0)
    #expect(try await rig.ids(.of("c"), parent: other.documents).isEmpty)
  }

  @Test func `reaches listeners and triggers`() async throws {
    let watcher = Watcher()
    let rig = try Self.rig(observer: watcher)
    try await rig.set(["c/a": ["end": Self.time(10)]])
    var listening = Listening(rig)
    listening.add(.documents(2, paths: ["c/a"]))
    for _ in 0..<4 { _ = await listening.next() }
    try await Self.advance(rig, by: 10)
    #expect(await listening.next()?.documentDelete.document == name("c/a"))
    try await listening.end()
    let deleted = watcher.commits.last?.changes.map(\.path.id)
    #expect(deleted == ["a"] && watcher.commits.last?.changes.first?.after == nil)
  }

  @Test func `passes with the running clock`() async throws {
    let rig = try Self.rig()
    let running = Task { await rig.firestore.timeToLive.run(rig.firestore) }
    try await rig.set(["c/a": ["end": Self.time(10)], "c/b": ["end": Self.time(4)]])
    var listening = Listening(rig)
    listening.add(.query(2, query: .of("c")))
    for _ in 0..<5 { _ = await listening.next() }
    // The clock of the project is ahead of that of the machine.
    rig.clocks.advance("demo", by: .seconds(1))
    await rig.clock.advance(by: .seconds(3), whenWaitingFor: [.seconds(3)])
    #expect(await listening.next()?.documentDelete.document == name("c/b"))
    await rig.clock.advance(by: .seconds(6), whenWaitingFor: [.seconds(6)])
    while let message = await listening.next() {
      if message.documentDelete.document == name("c/a") { break }
    }
    #expect(try await rig.ids(.of("c")).isEmpty)
    try await listening.end()
    running.cancel()
    await running.value
  }

  @Test(arguments: 1...5) func `ends exactly what has expired`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let rig = try Self.rig()
    var expected: [String: Int64] = [:]
    var now: Int64 = 0
    for _ in 0..<40 {
      for _ in 0..<10 {
        let path =
          "\(Int.random(in: 0..<3, using: &random))/x/c/\(Int.random(in: 0..<30, using: &random))"
        let end = now + Int64(Int.random(in: 0..<40, using: &random)) - 5
        try await rig.set([path: ["end": Self.time(end)]])
        expected[path] = end
      }
      let step = Int.random(in: 0..<10, using: &random)
      now += Int64(step)
      try await Self.advance(rig, by: step)
      expected = expected.filter { $0.value > now }
      let found = try await rig.run(.of("c", everywhere: true)).map(\.name)
      #expect(Set(found) == Set(expected.keys.map { name($0) }))
    }
  }
}

/// Keeps what it hears.
private final class Watcher: CommitObserver {
  private let heard = Mutex<[ObservedCommit]>([])

  var commits: [ObservedCommit] { heard.withLock { $0 } }
  var isWatching: Bool { true }
  func committed(_ commit: ObservedCommit) { heard.withLock { $0.append(commit) } }
}
