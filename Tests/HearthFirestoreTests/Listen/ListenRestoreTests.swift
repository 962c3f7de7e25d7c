import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthSQLite
import SwiftProtobuf
import Testing

extension Rig {
  fileprivate func save(_ name: String) throws -> Snapshots.Entry {
    try #require(
      try store.transaction { transaction throws(APIError) in
        let snapshots = Snapshots(Firestore.snapshotTables, in: transaction)
        let id = try snapshots.save(
          name, of: Self.database.project, createdAt: 0, bytes: 0, memory: "")
        return try snapshots.all().first { $0.id == id }
      })
  }

  fileprivate func restore(_ entry: Snapshots.Entry) throws(APIError) {
    try store.transaction { transaction throws(APIError) in
      let time = try firestore.restoreTime(of: entry.project, in: transaction)
      try Snapshots(Firestore.snapshotTables, in: transaction).restore(entry, stamp: time)
      return (try firestore.finishRestoring(entry.project, at: time, in: transaction), time)
    } committed: { databases, time in
      firestore.restored(databases, at: time)
    }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A listener of a project that is restored` {
  private let rig: Rig

  init() async throws {
    rig = try Rig()
    try await rig.set(["a/1": ["v": "old"], "a/2": ["v": "stays"], "a/1/b/2": [:]])
  }

  enum Change: CaseIterable {
    case none, writes, clear, both

    func perform(_ rig: Rig) async throws {
      if self == .writes || self == .both {
        try await rig.set(["a/1": ["v": "new"], "a/3": ["v": "more"]])
        _ = try await rig.commit([.delete("a/1/b/2")])
      }
      if self == .clear || self == .both {
        try await rig.firestore.bulkDelete(Rig.database, collectionIds: [])
      }
      if self == .both { try await rig.set(["a/1": ["v": "newest"]]) }
    }
  }

  @Test(arguments: Change.allCases)
  func `begins again, and gets the documents`(change: Change) async throws {
    let entry = try rig.save("seeded")
    var listening = Listening(rig)
    listening.add(.query(2, query: .of("a")))
    listening.add(.query(4, query: .of("b", everywhere: true)))
    var client = ListenClient()
    while client.shown.values.filter(\.isCurrent).count < 2 {
      _ = client.hear(try #require(await listening.next()))
    }
    let before = client.shown.mapValues { Set($0.documents.keys) }
    try await change.perform(rig)
    try rig.restore(entry)

    var resets: Set<Int32> = []
    var current: Set<Int32> = []
    var versions: [String: Int64] = [:]
    while current != [2, 4] {
      let response = try #require(await listening.next())
      _ = client.hear(response)
      let document = response.documentChange.document
      // SDKs ignore a document that is older than the one that they have.
      #expect(document.updateTime.microseconds >= versions[document.name] ?? 0)
      versions[document.name] = document.updateTime.microseconds
      switch response.targetChange.targetChangeType {
      case .reset: resets.formUnion(response.targetChange.targetIds)
      case .current where resets.count == 2: current.formUnion(response.targetChange.targetIds)
      default: break
      }
    }
    _ = client.hear(try #require(await listening.next()))
    #expect(client.shown.mapValues { Set($0.documents.keys) } == before)
    #expect(try await rig.run(.of("a")).map { $0.fields["v"]?.stringValue } == ["old", "stays"])

    // It goes on as before.
    try await rig.set(["a/4": ["v": "later"]])
    while client.shown[2]?.documents.count != 3 {
      _ = client.hear(try #require(await listening.next()))
    }
    try await listening.end()
  }

  @Test func `has to begin again with a token of before`() async throws {
    let entry = try rig.save("seeded")
    var listening = Listening(rig)
    listening.add(.query(2, query: .of("a")))
    var client = ListenClient()
    while client.shown[2]?.isCurrent != true {
      _ = client.hear(try #require(await listening.next()))
    }
    let token = try #require(client.shown[2]?.token)
    try await listening.end()
    try await rig.set(["a/3": [:]])
    try rig.restore(entry)

    var again = Listening(rig)
    again.add(.query(2, query: .of("a"), after: token))
    while let response = await again.next() {
      if response.targetChange.targetChangeType == .reset { break }
      #expect(response.targetChange.targetChangeType != .current)
    }
    try await again.end()
  }
}
