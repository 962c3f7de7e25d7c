import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Synchronization
import Testing

/// What a stream must not get wrong when commits come while it is busy.
@Suite(.timeLimit(.minutes(30))) struct `A busy stream` {
  private let rig: Rig
  private let everything = StructuredQuery.of("c")
  private let first = StructuredQuery.of("c").ordered(by: "n").limited(to: 1)

  init() throws { rig = try Rig() }

  /// Hears everything until the stream has told a snapshot with that document.
  private func hear(
    _ listening: inout Listening, client: inout ListenClient, until path: String,
    in target: Int32
  ) async throws {
    while client.shown[target]?.documents[name(path).bytes] == nil {
      let response = try #require(await listening.next())
      guard client.hear(response) else { continue }
      try await check(client, id: 2, query: .of("z"))
      try await check(client, id: 4, query: everything)
      try await check(client, id: 6, query: first)
    }
  }

  private func check(_ client: ListenClient, id: Int32, query: StructuredQuery) async throws {
    guard let copy = client.shown[id], copy.isCurrent else { return }
    let found = try await rig.run(query, at: client.readTime)
    #expect(
      Set(copy.documents.values) == Set(found.map(\.exact)), "target \(id) at \(client.readTime)")
  }

  @Test func `tells nobody of a time that another target has not come to`() async throws {
    try await rig.set(["c/a": ["n": 5], "z/a": ["n": 0]])
    let rig = rig
    let isDone = Once()
    // Two commits in one turn: the first one makes the target with a limit ask the store, which
    // holds the second one already.
    var listening = Listening(rig) { response in
      guard response.targetChange.targetIds == [6], response.targetChange.isCurrent,
        isDone.take()
      else { return }
      _ = try await rig.commit([.set("c/b", fields: ["n": 1])])
      _ = try await rig.commit([.set("z/b", fields: ["n": 1])])
    }
    var client = ListenClient()
    listening.add(.query(2, query: .of("z")))
    listening.add(.query(6, query: first))
    try await hear(&listening, client: &client, until: "z/b", in: 2)
    try await listening.end()
  }

  @Test func `that gets a new target still tells the others first`() async throws {
    try await rig.set(["c/a": ["n": 5], "z/a": ["n": 0]])
    let rig = rig
    let isDone = Once()
    var listening = Listening(rig) { response in
      guard response.targetChange.targetIds == [4], response.targetChange.isAddition,
        isDone.take()
      else { return }
      _ = try await rig.commit([.set("z/b", fields: ["n": 1])])
    }
    var client = ListenClient()
    listening.add(.query(2, query: .of("z")))
    listening.add(.query(4, query: everything))
    try await hear(&listening, client: &client, until: "z/b", in: 2)
    try await listening.end()
  }

  @Test func `that has fallen far behind starts again in one step`() async throws {
    try await rig.set(["z/a": ["n": 0]])
    let rig = rig
    let isDone = Once()
    // More than the log of commits keeps, in one turn.
    var listening = Listening(rig) { response in
      guard response.targetChange.targetIds == [4], response.targetChange.isCurrent,
        isDone.take()
      else { return }
      for round in 0..<45 {
        _ = try await rig.commit(
          (0..<500).map { .set("bulk/\($0)", fields: ["n": .int(Int64(round))]) })
      }
      _ = try await rig.commit([.set("z/b", fields: ["n": 1])])
    }
    var client = ListenClient()
    listening.add(.query(2, query: .of("z")))
    listening.add(.query(4, query: everything))
    // What was so at earlier snapshots, nobody knows any more.
    while client.shown[2]?.documents[name("z/b").bytes] == nil {
      _ = client.hear(try #require(await listening.next()))
    }
    try await check(client, id: 2, query: .of("z"))
    try await check(client, id: 4, query: everything)
    try await listening.end()
  }

  /// What the offset skips is not a part of the result, but moves it.
  @Test func `hears when a document before its window goes`() async throws {
    try await rig.set(["c/a": [:], "c/b": [:], "c/c": [:]])
    var query = everything
    query.offset = 1
    var listening = Listening(rig)
    var client = ListenClient()
    listening.add(.query(2, query: query))
    while client.shown[2]?.isCurrent != true {
      _ = client.hear(try #require(await listening.next()))
    }
    _ = try await rig.commit([.delete("c/a")])
    while !client.hear(try #require(await listening.next())) {}
    try await check(client, id: 2, query: query)
    try await listening.end()
  }

  /// Each target makes up its mind by itself, but all of them show the same.
  @Test func `shows the last version of a document to all targets`() async throws {
    try await rig.set(["c/x": ["n": 0]])
    var listening = Listening(rig)
    var client = ListenClient()
    let bare = StructuredQuery.of("c")
      .filtered(by: .field("n", op: .lessThan, value: 5))
    var narrow = everything
    narrow.select.fields = [.with { $0.fieldPath = "k" }]
    listening.add(.query(2, query: everything))
    listening.add(.query(4, query: bare))
    listening.add(.query(6, query: narrow))
    while client.shown[6]?.isCurrent != true {
      _ = client.hear(try #require(await listening.next()))
    }
    _ = try await rig.commit([
      .set("c/x", fields: ["n": 1, "k": 1]), .set("c/x", fields: ["n": 9, "k": 2]),
    ])
    while !client.hear(try #require(await listening.next())) {}
    try await check(client, id: 2, query: everything)
    try await check(client, id: 4, query: bare)
    try await check(client, id: 6, query: narrow)
    try await listening.end()
  }

  /// Within one commit the last write counts.
  @Test(arguments: [
    [Write.set("c/x", fields: ["n": 1]), .set("c/x", fields: ["k": 1])],
    [.set("c/x", fields: ["k": 1]), .set("c/x", fields: ["n": 1])],
    [.set("c/x", fields: ["n": 1]), .delete("c/x")],
    [.delete("c/x"), .set("c/x", fields: ["n": 1])],
    [.delete("c/x"), .set("c/x", fields: ["k": 1])],
    [.delete("c/x"), .set("c/x", fields: ["n": 1]), .delete("c/x")],
  ])
  func `hears of a document that one commit writes twice`(writes: [Write]) async throws {
    for before in [[:], ["n": 0], ["k": 0]] as [Fields] {
      let rig = try Rig()
      if !before.isEmpty { try await rig.set(["c/x": before]) }
      var listening = Listening(rig)
      var client = ListenClient()
      let query = StructuredQuery.of("c").filtered(
        by: .field("n", op: .greaterThanOrEqual, value: 0))
      listening.add(.query(2, query: query))
      listening.add(.documents(4, paths: ["c/x"]))
      listening.add(.documents(6, paths: ["z/mark"]))
      while client.shown[6]?.isCurrent != true {
        _ = client.hear(try #require(await listening.next()))
      }
      _ = try await rig.commit(writes)
      _ = try await rig.commit([.set("z/mark", fields: [:])])
      while client.shown[6]?.documents.isEmpty != false {
        _ = client.hear(try #require(await listening.next()))
      }
      let found = try await rig.run(query).map(\.exact)
      #expect(client.shown[2]?.documents.values.sorted() == found)
      let all = try await rig.run(everything).map(\.exact)
      #expect(client.shown[4]?.documents.values.sorted() == all)
      try await listening.end()
    }
  }
}

extension Google_Firestore_V1_TargetChange {
  fileprivate var isCurrent: Bool { targetChangeType == .current }
  fileprivate var isAddition: Bool { targetChangeType == .add }
}

/// True the first time.
private final class Once: Sendable {
  private let isTaken = Mutex(false)

  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
