import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

/// The deletes of the emulator's own endpoints are changes like others.
@Suite(.timeLimit(.minutes(30))) struct `A listener hears of deletes` {
  private let rig: Rig

  init() async throws {
    rig = try Rig()
    try await rig.set(["a/1": [:], "a/1/b/2": [:], "a/3": [:], "b/4": [:]])
  }

  enum Call: CaseIterable {
    case document, collection, ids, all

    /// What is left of `a/1`, `a/3`, `a/1/b/2` and `b/4`.
    var left: Set<String> {
      switch self {
      case .document: ["a/3", "b/4"]
      case .collection: ["b/4"]
      case .ids: ["a/1", "a/3"]
      case .all: []
      }
    }

    func perform(_ firestore: Firestore) async throws {
      switch self {
      case .document: try await firestore.deleteSubtree(ResourcePath(name("a/1")))
      case .collection: try await firestore.deleteSubtree(ResourcePath(name("a")))
      case .ids: try await firestore.bulkDelete(Rig.database, collectionIds: ["b"])
      case .all: try await firestore.bulkDelete(Rig.database, collectionIds: ["a", "b"])
      }
    }
  }

  @Test(arguments: Call.allCases) func `of many documents`(call: Call) async throws {
    var listening = Listening(rig)
    listening.add(.query(2, query: .of("a")))
    listening.add(.query(4, query: .of("b", everywhere: true)))
    var client = ListenClient()
    func names() -> Set<String> {
      Set(
        client.shown.values.flatMap { $0.documents.keys }.map {
          String(decoding: $0, as: UTF8.self)
        })
    }
    while client.shown.values.filter(\.isCurrent).count < 2 {
      _ = client.hear(try #require(await listening.next()))
    }
    #expect(names() == Set(["a/1", "a/3", "a/1/b/2", "b/4"].map(name)))
    try await call.perform(rig.firestore)
    while names() != Set(call.left.map(name)) {
      _ = client.hear(try #require(await listening.next()))
    }
    try await listening.end()
  }
}
