import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthSQLite
import HearthTestSupport
import HearthTime
import SwiftProtobuf
import Testing

/// Every kind of write before every other, of one document in one commit.
@Suite struct `Two writes of one document` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  private static let kinds = [
    "set", "merge", "update", "insert", "transform", "old transform", "set and transform",
    "delete", "delete one", "delete none", "verify one", "verify none", "update version",
    "delete version", "verify version",
  ]

  /// What becomes of the first write with each of the second, in the order of the kinds. Observed:
  /// `.` there is a document, `-` there is none, `A` ALREADY_EXISTS, `N` NOT_FOUND, and
  /// INVALID_ARGUMENT because of the two kinds (`C`), of two versions (`V`), of a verification (`D`).
  private static let ofOneThatExists: KeyValuePairs = [
    "set": "...C...--CDDVVD",
    "merge": "...C...--CDDVVD",
    "update": "...C...--CDDVVD",
    "insert": "AAACAAAAACDDVVD",
    "transform": "...C...--CDDVVD",
    "old transform": "...C...--CDDVVD",
    "set and transform": "...C...--CDDVVD",
    "delete": "..C....-C-DDCVD",
    "delete one": "..C....-C-DDCVD",
    "delete none": "AACAAAAACADDCVD",
    "verify one": "DDDDDDDDDDDDDDD",
    "verify none": "DDDDDDDDDDDDDDD",
    "update version": "...C...--CDD.-D",
    "delete version": "..C....-C-DDC-D",
    "verify version": "DDDDDDDDDDDDDDD",
  ]

  private static let ofOneThatIsMissing: KeyValuePairs = [
    "set": "...C...--CDD",
    "merge": "...C...--CDD",
    "update": "NNNCNNNNNCDD",
    "insert": "...C...--CDD",
    "transform": "...C...--CDD",
    "old transform": "...C...--CDD",
    "set and transform": "...C...--CDD",
    "delete": "..C....-C-DD",
    "delete one": "NNCNNNNNCNDD",
    "delete none": "..C....-C-DD",
    "verify one": "DDDDDDDDDDDD",
    "verify none": "DDDDDDDDDDDD",
  ]

  private static func write(_ kind: String, path: String, version: ProtoTimestamp) -> Write {
    var write = Write.set(path, fields: ["x": 1])
    let transform = FieldTransform.with {
      $0.fieldPath = "i"
      $0.increment = 1
    }
    switch kind.prefix(while: { $0 != " " }) {
    case "merge": write.updateMask.fieldPaths = ["x"]
    case "transform":
      write.updateMask = DocumentMask()
      write.updateTransforms = [transform]
    case "old":
      write.transform.document = name(path)
      write.transform.fieldTransforms = [transform]
    case "delete": write = .delete(path)
    case "verify": write = .with { $0.verify = name(path) }
    default: break
    }
    if kind.hasSuffix("and transform") { write.updateTransforms = [transform] }
    if kind == "update" || kind.hasSuffix("one") && !kind.hasSuffix("none") {
      write.currentDocument.exists = true
    }
    if kind == "insert" || kind.hasSuffix("none") { write.currentDocument.exists = false }
    if kind.hasSuffix("version") { write.currentDocument.updateTime = version }
    return write
  }

  private func outcome(_ first: String, second: String, exists: Bool) async throws -> Character {
    let path = "c/a"
    _ = try await rig.commit([.delete(path)])
    let known = exists ? try await rig.commit([.set(path, fields: ["y": 1])]) : CommitResponse()
    do {
      _ = try await rig.commit(
        [first, second].map { Self.write($0, path: path, version: known.commitTime) })
      return try await rig.ids(.of("c")).isEmpty ? "-" : "."
    } catch let error as APIError {
      switch error.code.row.status {
      case "ALREADY_EXISTS": return "A"
      case "NOT_FOUND": return "N"
      case "INVALID_ARGUMENT" where error.message.hasPrefix("Cannot collapse"): return "V"
      case "INVALID_ARGUMENT" where error.message.hasPrefix("Cannot"): return "C"
      case "INVALID_ARGUMENT": return "D"
      default: return "?"
      }
    }
  }

  @Test(arguments: [true, false]) func `become one change, or are refused`(
    exists: Bool
  ) async throws {
    for (first, wanted) in exists ? Self.ofOneThatExists : Self.ofOneThatIsMissing {
      var found = ""
      for second in Self.kinds.prefix(wanted.count) {
        found.append(try await outcome(first, second: second, exists: exists))
      }
      #expect(found == wanted, "\(first), and then each")
    }
  }

  /// What they leave as it was keeps its time; deleted and made again it is another document. Each
  /// number is set, and 0 deletes.
  @Test(arguments: [([2, 1], true), ([2, 3], false), ([0, 1], false)] as [([Int64], Bool)])
  func `may be no change`(numbers: [Int64], isUnchanged: Bool) async throws {
    let before = try await rig.commit([.set("c/a", fields: ["x": 1])]).commitTime
    var listening = Listening(rig)
    listening.add(.documents(2, paths: ["c/a", "c/b"]))
    for _ in 0..<5 { _ = await listening.next() }
    rig.clock.advance(by: .seconds(1))
    let response = try await rig.commit(
      numbers.map { $0 == 0 ? .delete("c/a") : .set("c/a", fields: ["x": .int($0)]) }
        + [.set("c/b", fields: [:])])
    let time = isUnchanged ? before : response.commitTime
    #expect(response.writeResults.prefix(2).map(\.updateTime) == [time, time])
    #expect(try await rig.run(.of("c")).first?.updateTime == time)
    let heard = await listening.next()?.documentChange.document.name
    #expect(heard == name(isUnchanged ? "c/b" : "c/a"))
    try await listening.end()
  }

  /// Each write of a growing document used to store all of it again.
  @Test func `are stored once`() async throws {
    try rig.store.transaction { transaction throws(APIError) in
      try transaction.execute("CREATE TABLE stored (bytes)")
      for event in ["INSERT", "UPDATE"] {
        try transaction.execute(
          """
          CREATE TRIGGER stored_\(event) AFTER \(event) ON firestore_documents
          BEGIN INSERT INTO stored VALUES (length(NEW.fields)); END
          """)
      }
    }
    let text = String(repeating: "x", count: 1000)
    let append = (0..<200).map { number in
      Write.with {
        $0.transform.document = name("c/a")
        $0.transform.fieldTransforms = [
          .with {
            $0.fieldPath = "list"
            $0.appendMissingElements.values = [Value(stringLiteral: "\(number) \(text)")]
          }
        ]
      }
    }
    _ = try await rig.commit(append + [.set("c/b", fields: [:]), .delete("c/b")])
    #expect(try await rig.run(.of("c")).map { $0.fields["list"]?.arrayValue.values.count } == [200])
    let stored = try rig.store.transaction { transaction throws(APIError) in
      try transaction.all("SELECT bytes FROM stored") { $0[0] as Int }
    }
    #expect(stored.count == 1)
    #expect(stored.allSatisfy { $0 < 300_000 })
  }

  /// Each has the time of what they leave.
  @Test(arguments: [
    (["delete", "set"], [true, true]), (["set", "merge", "delete"], [false, false, false]),
    (["set", "set"], [true, true]), (["set"], [true]), (["delete"], [false]), ([], []),
  ])
  func `have one time`(kinds: [String], wanted: [Bool]) async throws {
    _ = try await rig.commit([.set("c/a", fields: ["x": 1])])
    rig.clock.advance(by: .seconds(1))
    let writes = kinds.map { Self.write($0, path: "c/a", version: .init()) }
    let response = try await rig.commit(writes + (kinds.isEmpty ? [] : [.set("c/b", fields: [:])]))
    let results = response.writeResults.prefix(kinds.count)
    #expect(results.map(\.hasUpdateTime) == wanted)
    #expect(Set(results.filter(\.hasUpdateTime).map(\.updateTime.microseconds)).count <= 1)
    #expect(response.hasCommitTime == !kinds.isEmpty)
  }

  @Test(arguments: [
    ("delete", "update", "Cannot delete then update an entity in the same request."),
    ("set", "insert", "Cannot upsert then insert an entity in the same request."),
    ("update", "delete none", "Cannot update then delete an entity in the same request."),
    (
      "verify one", "verify none",
      "the same document cannot be verified more than once in a single request"
    ),
    (
      "set", "verify one",
      "the same document cannot be written and then verified in a single request"
    ),
  ])
  func `are refused with the kinds of both`(
    first: String, second: String, message: String
  ) async throws {
    let error = await #expect(throws: APIError.self) {
      try await rig.commit([first, second].map { Self.write($0, path: "c/a", version: .init()) })
    }
    #expect(error?.message == message)
  }
}
