import Foundation
import HearthCrypto
import HearthFirestore
import HearthFirestoreProtos
import HearthTestSupport
import SwiftProtobuf
import Testing

/// Random writes while clients listen: each snapshot must be what a query of that time answers.
@Suite(.timeLimit(.minutes(30))) struct `A client that listens` {
  @Test(arguments: UInt64(0)..<16) func `knows at each snapshot what is so`(
    seed: UInt64
  ) async throws {
    var run = try ListenRun(seed: seed)
    for _ in 0..<12 {
      for _ in 0..<run.random.number(1...5) { try await run.commit() }
      try await run.catchUp()
    }
    try await run.end()
  }

  @Test(arguments: UInt64(20)..<36) func `comes to know it again after a break`(
    seed: UInt64
  ) async throws {
    var run = try ListenRun(seed: seed)
    for _ in 0..<10 {
      for _ in 0..<run.random.number(0...3) { try await run.commit() }
      if run.random.chance(50) { try await run.catchUp() }
      for _ in 0..<run.random.number(0...2) { try await run.commit() }
      try await run.breakOff()
      for _ in 0..<run.random.number(0...3) { try await run.commit() }
      run.resume()
      try await run.catchUp()
    }
    try await run.end()
  }

  @Test(arguments: UInt64(40)..<48) func `may change its targets`(seed: UInt64) async throws {
    var run = try ListenRun(seed: seed)
    for _ in 0..<10 {
      for _ in 0..<run.random.number(1...4) { try await run.commit() }
      run.replaceTarget()
      for _ in 0..<run.random.number(1...4) { try await run.commit() }
      try await run.catchUp()
    }
    try await run.end()
  }
}

/// A client with many targets, and the model that says what it has to know.
struct ListenRun {
  /// Written last in each round: who has seen it has seen the round.
  private static let marker = "marks/m"

  private var model: ModelRun
  private var listening: Listening
  private var client = ListenClient()
  private var targets: [Int32: RandomQuery] = [:]
  private var nextTarget: Int32 = 0
  private var mark: Int64 = 0
  private let seed: UInt64
  var random: SplitMix

  init(seed: UInt64) throws {
    self.seed = seed
    model = try ModelRun(seed: seed &+ 1000)
    random = SplitMix(seed: seed &+ 2000)
    listening = Listening(model.rig)
    addMarker()
    for _ in 0..<6 { addTarget() }
  }

  mutating func commit() async throws { try await model.commit() }

  // MARK: Targets

  private func addMarker() {
    listening.add(.documents(1, paths: [Self.marker], after: client.shown[1]?.token ?? .init()))
  }

  private mutating func addTarget() {
    nextTarget += 2
    targets[nextTarget] = random.query(model.model)
    listen(to: nextTarget)
  }

  private func listen(to id: Int32) {
    guard let query = targets[id] else { return }
    listening.add(
      .query(
        id, query: query.message, parent: query.parent, after: client.shown[id]?.token ?? .init()))
  }

  mutating func replaceTarget() {
    let old = random.pick(targets.keys.sorted())
    targets[old] = nil
    listening.remove(old)
    addTarget()
  }

  // MARK: Breaks

  /// The client reads a part of what it is sent, and is gone.
  mutating func breakOff() async throws {
    for _ in 0..<random.number(0...2) where !client.shown.isEmpty || random.chance(50) {
      // Not further than the answers to the first requests: more may never come.
      guard client.shown.isEmpty else { break }
      try await nextSnapshot()
    }
    try await listening.end()
    client.disconnect()
  }

  mutating func resume() {
    listening = Listening(model.rig)
    addMarker()
    for id in targets.keys.sorted() { listen(to: id) }
  }

  func end() async throws { try await listening.end() }

  // MARK: Snapshots

  mutating func catchUp() async throws {
    mark += 1
    try await model.commit([.set(Self.marker, fields: ["mark": .int(mark)])])
    let wanted = model.model[Self.marker]?.exact
    repeat {
      try await nextSnapshot()
    } while client.shown[1]?.documents[marker] != wanted
      || targets.keys.contains { client.shown[$0]?.isCurrent != true }
  }

  private var marker: [UInt8] { name(Self.marker).bytes }

  private mutating func nextSnapshot() async throws {
    while true {
      guard let response = await listening.next() else {
        throw Refusal(status: "the stream has ended, seed \(seed)")
      }
      if client.hear(response) { break }
      #expect(client.refusals.isEmpty, "seed \(seed)")
    }
    let state = model.history.last { $0.time <= client.readTime }?.model ?? Model()
    for (id, copy) in client.shown where copy.isCurrent {
      guard let query = targets[id] else { continue }
      let documents = state.run(query.message, parent: query.parent)
        .map { Model.shown($0, by: query.message) }
      let wanted = Dictionary(
        documents.map { ($0.name.bytes, $0.exact) }, uniquingKeysWith: { $1 })
      #expect(
        copy.documents == wanted,
        """
        seed \(seed), target \(id) at \(client.readTime) below \(query.parent): \
        \(query.message.textFormatString())
        """)
    }
  }
}
