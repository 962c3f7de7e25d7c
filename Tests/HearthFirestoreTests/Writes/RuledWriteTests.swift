import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthSQLite
import SwiftProtobuf
import Testing

/// Rules judge a commit when it is done, and what they refuse is undone.
@Suite struct `A commit under rules` {
  private let rig: Rig

  init() throws {
    rig = try Rig()
    try rig.set(rules: "match /open/{x} { allow read, write; }")
  }

  private static let writes: [[Write]] = [
    [.set("open/a", fields: ["n": 1, "text": "x"])],
    [.set("open/a", fields: ["n": 2, "text": "x"])],
    [
      .set("open/b", fields: ["n": 1]), .set("open/b", fields: ["n": 2]),
      .set("open/c", fields: [:]),
    ],
    [.delete("open/a"), .delete("open/c")],
  ]

  /// Rows of the database: those of indexes count too.
  private func changedRows() throws -> Int {
    try rig.store.transaction { transaction throws(APIError) in
      try transaction.count("SELECT total_changes()")
    }
  }

  @Test func `writes no more than its owner would`() async throws {
    let other = try Rig()
    for writes in Self.writes {
      _ = try await rig.commit(writes, as: .nobody)
      _ = try await other.commit(writes)
    }
    let expected = try other.store.transaction { transaction throws(APIError) in
      try transaction.count("SELECT total_changes()")
    }
    #expect(try changedRows() == expected)
  }

  @Test(arguments: [
    (["open/new", "shut/new"], true, "PERMISSION_DENIED"),
    (["open/new", "open/missing"], true, "NOT_FOUND"),
    (["open/new", "open/there"], false, "ALREADY_EXISTS"),
    // What exists is not told where rules forbid to look.
    (["open/new", "shut/there"], false, "PERMISSION_DENIED"),
  ])
  func `leaves nothing when it is refused`(
    paths: [String], exists: Bool, status: String
  ) async throws {
    try await rig.set(["open/there": ["n": 1], "shut/there": ["n": 1]])
    var writes = paths.map { Write.set($0, fields: ["n": 2]) }
    writes[1].currentDocument.exists = exists
    let error = await #expect(throws: APIError.self) {
      _ = try await rig.commit(writes, as: .nobody)
    }
    #expect(error?.code.row.status == status)
    #expect(try await rig.ids(.of("open")) == ["there"])
    #expect(try await rig.run(.of("open")).first?.fields == ["n": 1])
    _ = try await rig.commit([writes[0]], as: .nobody)
    #expect(try await rig.ids(.of("open")) == ["new", "there"])
  }

  @Test(arguments: [
    "request.headers.size() == 0", "request.inTransaction && request.readFields == null",
    "request.writeFields == ['n', 'a.b'] && request.transforms == null",
    "request.keys().hasOnly(['auth', 'headers', 'inTransaction', 'method', 'path', 'readFields', "
      + "'resource', 'time', 'transforms', 'writeFields'])",
  ])
  func `shows rules what it is`(condition: String) async throws {
    try rig.set(rules: "match /c/{x} { allow write: if \(condition); }")
    var write = Write.set("c/a", fields: ["n": 1])
    write.updateMask.fieldPaths = ["n", "a.b"]
    _ = try await rig.commit([write], as: .nobody)
  }

  @Test(arguments: [
    "request.fields == null && !request.inTransaction && request.headers is map",
    "!('writeFields' in request || 'resource' in request)",
  ])
  func `shows rules what is read`(condition: String) async throws {
    try rig.set(rules: "match /c/{x} { allow read: if \(condition); }")
    let error = await #expect(throws: APIError.self) {
      _ = try await rig.firestore.getDocument(.with { $0.name = name("c/a") }, as: .nobody)
    }
    #expect(error?.code.row.status == "NOT_FOUND")
  }
}
