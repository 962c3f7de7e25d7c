import Foundation
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthSQLite
import HearthTestSupport
import HearthTime
import SwiftProtobuf
import Testing

@Suite struct `Writing in bulk` {
  private static let database = DatabaseName(project: "demo", database: "(default)")

  private let store: Store
  private let firestore: Firestore

  init() throws {
    store = try Store(migrations: Firestore.migrations)
    firestore = try Firestore(
      store: store, clocks: ProjectClocks(ManualClock()), rules: RulesTable())
  }

  private func document(
    _ path: String, fields: Fields, origin: DocumentOrigin? = nil
  ) throws -> BulkDocument {
    let segments = path.split(separator: "/").map(String.init)
    return try BulkDocument(
      ResourcePath(Self.database, segments: segments), fields: fields, origin: origin)
  }

  private func number(_ value: Int64) -> Fields { ["n": .with { $0.integerValue = value }] }

  private func set(_ path: String, fields: Fields) async throws {
    _ = try await firestore.commit(
      .with {
        $0.database = Self.database.description
        $0.writes = [
          .with {
            $0.update.name = "\(Self.database.documents)/\(path)"
            $0.update.fields = fields
          }
        ]
      }, as: .owner)
  }

  private func scan() throws -> [(path: String, fields: Fields, origin: DocumentOrigin?)] {
    var found: [(path: String, fields: Fields, origin: DocumentOrigin?)] = []
    try firestore.scan("demo", database: nil) {
      found = []
    } visit: { page in
      for document in page {
        found.append(
          (document.segments.joined(separator: "/"), try document.fields(), document.origin))
      }
    }
    return found
  }

  /// Names of documents with `n` above a number, by way of the index.
  private func found(above number: Int64) async throws -> [String] {
    let responses = try await firestore.runQuery(
      .with {
        $0.parent = Self.database.documents
        $0.structuredQuery.from = [.with { $0.collectionID = "c" }]
        $0.structuredQuery.where.fieldFilter.field.fieldPath = "n"
        $0.structuredQuery.where.fieldFilter.op = .greaterThan
        $0.structuredQuery.where.fieldFilter.value.integerValue = number
      }, as: .owner)
    return responses.filter(\.hasDocument).map { String($0.document.name.suffix(1)) }
  }

  @Test func `Nothing is seen before the end`() async throws {
    let writer = BulkWriter(firestore)
    let documents = try (0..<1200).map { try document("c/d\($0)", fields: number(Int64($0))) }
    #expect(try await writer.add(documents) == nil)
    #expect(try scan().isEmpty)
    #expect(
      try store.transaction { transaction throws(APIError) in
        try Firestore.projectIds(in: transaction)
      }.isEmpty)
    try await writer.finish()
    #expect(try scan().map(\.path) == (0..<1200).map { "c/d\($0)" })
    #expect(try await found(above: 1190).count == 9)
  }

  @Test func `What is taken back is gone`() async throws {
    let writer = BulkWriter(firestore)
    _ = try await writer.add((0..<1200).map { try document("c/d\($0)", fields: number(1)) })
    try await writer.discard()
    for table in ["collections", "documents", "entries"] {
      let count = try store.transaction { transaction throws(APIError) in
        try transaction.count("SELECT count(*) FROM firestore_\(table)")
      }
      #expect(count == 0, "\(table)")
    }
  }

  @Test func `A name that appears twice is reported`() async throws {
    let writer = BulkWriter(firestore)
    let documents = [
      try document("c/a", fields: [:]), try document("c/b", fields: [:]),
      try document("c/a", fields: [:]),
    ]
    #expect(try await writer.add(documents) == 2)
  }

  @Test(arguments: [["b"], ["b", "z"], ["a", "b", "c"], []])
  func `Documents of one name are replaced, others stay`(there: [String]) async throws {
    for name in there { try await set("c/\(name)", fields: number(9)) }
    try await set("c/k/sub/x", fields: number(9))
    let writer = BulkWriter(firestore)
    _ = try await writer.add(["a", "b", "c"].map { try document("c/\($0)", fields: number(1)) })
    try await writer.finish()
    let expected = Set(["a", "b", "c"] + there)
    let all = try scan()
    #expect(Set(all.map(\.path)) == Set(expected.map { "c/\($0)" } + ["c/k/sub/x"]))
    for entry in all where entry.path != "c/z" && entry.path != "c/k/sub/x" {
      #expect(entry.fields["n"]?.integerValue == 1)
    }
    #expect(Set(try await found(above: 0)) == expected)
    #expect(Set(try await found(above: 5)) == expected.intersection(["z"]))
  }

  @Test func `A write forgets where a document came from`() async throws {
    let writer = BulkWriter(firestore)
    _ = try await writer.add([
      try document("c/a", fields: number(1), origin: .record([1, 2])),
      try document("c/b", fields: number(1), origin: .app("dev~other")),
      try document("c/c", fields: number(1), origin: .record([3])),
    ])
    try await writer.finish()
    try await set("c/a", fields: number(2))
    // A write that changes nothing does not count.
    try await set("c/c", fields: number(1))
    #expect(try scan().map(\.origin) == [nil, .app("dev~other"), .record([3])])
  }

  @Test func `An export is of one moment`() async throws {
    let writer = BulkWriter(firestore)
    let large: Fields = ["t": .with { $0.stringValue = String(repeating: "x", count: 2000) }]
    _ = try await writer.add((0..<1500).map { try document("c/d\($0)", fields: large) })
    try await writer.finish()
    let changes = DispatchQueue(label: "changes")
    var pages = 0
    var restarts = 0
    var paths: [String] = []
    try firestore.scan("demo", database: nil) {
      restarts += 1
      paths = []
    } visit: { page in
      pages += 1
      paths += page.map { $0.segments.joined(separator: "/") }
      guard pages == 1 else { return }
      // Somebody else writes while the first page is being used.
      let done = DispatchSemaphore(value: 0)
      changes.async {
        Task {
          try? await set("c/new", fields: number(1))
          done.signal()
        }
      }
      done.wait()
    }
    #expect(restarts == 1)
    #expect(pages > 3)
    #expect(paths == (0..<1500).map { "c/d\($0)" } + ["c/new"])
  }

  @Test func `What cannot be stored is refused`() throws {
    #expect(throws: APIError.self) { _ = try document("c", fields: [:]) }
    #expect(throws: APIError.self) { _ = try document("c/__x__", fields: [:]) }
    #expect(throws: APIError.self) {
      _ = try document(
        "c/d", fields: ["t": .with { $0.stringValue = String(repeating: "x", count: 2 << 20) }])
    }
  }
}
