import HearthFirestore
import HearthFirestoreProtos
import HearthTestSupport
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Many listeners of a document each` {
  private static let documents = 100
  private static let listeners = 200

  /// Each of them looked at every change, so that a large commit took steps by the ten thousand.
  @Test(arguments: [1, listeners]) func `take few steps for a large commit`(
    _ streams: Int
  ) async throws {
    let rig = try Rig()
    var listening: [Listening] = []
    for _ in 0..<streams { listening.append(Listening(rig)) }
    for id in 0..<Self.listeners {
      listening[id % streams].add(
        .with {
          $0.targetID = Int32(id + 1)
          $0.documents.documents = [name("a/\(id % Self.documents)")]
        })
    }
    for stream in listening.indices {
      var left = Self.listeners / streams
      while left > 0, let response = await listening[stream].next() {
        if response.targetChange.targetChangeType == .current { left -= 1 }
      }
    }
    let before = rig.firestore.listenSteps
    _ = try await rig.commit((0..<Self.documents).map { .set("a/\($0)", fields: ["n": 1]) })
    for stream in listening.indices {
      var left = streams == 1 ? Self.documents : 1
      while left > 0, let response = await listening[stream].next() {
        if response.documentChange.document.fields["n"] == 1 { left -= 1 }
      }
    }
    // The commit is decoded once, or by a few streams that come at the same moment.
    #expect(rig.firestore.listenSteps - before <= 16 * Self.documents + 2 * Self.listeners)
    for stream in listening { try await stream.end() }
  }

  @Test func `hear of a large result while its collection changes`() async throws {
    let rig = try Rig()
    let text = Value.with { $0.stringValue = String(repeating: "x", count: 300_000) }
    for id in 0..<5 { _ = try await rig.commit([.set("a/\(id)", fields: ["t": text])]) }
    var listening = Listening(rig)
    listening.add(
      .with {
        $0.targetID = 1
        $0.query.parent = Rig.database.documents
        $0.query.structuredQuery.from = [.with { $0.collectionID = "a" }]
      })
    _ = try await rig.commit([.set("a/5", fields: ["t": text])])
    _ = try await rig.commit([.set("a/6", fields: ["t": "last"]), .delete("a/0")])
    var client = ListenClient()
    let names = Set((1...6).map { Array(name("a/\($0)").utf8) })
    while client.shown[1].map({ Set($0.documents.keys) }) != names,
      let response = await listening.next()
    {
      _ = client.hear(response)
    }
    #expect(client.shown[1].map { Set($0.documents.keys) } == names)
    try await listening.end()
  }
}
