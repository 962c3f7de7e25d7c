import Foundation
import HearthControl
import HearthFirestore
import HearthFirestoreProtos
import HearthSQLite
import HearthServer
import HearthTestSupport
import HearthTime
import SwiftProtobuf
import Testing

/// Databases that earlier versions wrote.
@Suite struct `A kept database` {
  @Test(arguments: ["before-0.1.0", "hearth-0.1.0"])
  func `has its documents`(_ version: String) async throws {
    try await withTemporaryFolder { try await checkDocuments(of: version, copiedTo: $0) }
  }

  private func checkDocuments(of version: String, copiedTo folder: String) async throws {
    let kept = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../fixtures/databases/\(version)").standardizedFileURL
    try FileManager.default.copyItem(atPath: kept.path, toPath: folder)
    let firestore = try Firestore(
      store: try Store(directory: folder, migrations: Schema.migrations),
      clocks: ProjectClocks(ManualClock()), rules: RulesTable())
    let root = "projects/demo-kept/databases/(default)/documents"
    func get(_ name: String) async throws -> Document {
      try await firestore.getDocument(.with { $0.name = name }, as: .owner)
    }
    let rome = try await get("\(root)/towns/rome")
    #expect(
      rome.fields.exact
        == ([
          "name": "Rome", "people": 2_748_109, "area": .float(1285.31),
          "mayor": .object(["since": .time(1_634_774_400), "name": "Gualtieri"]),
          "rivers": .list(["Tiber", "Aniene"]), "place": .place(41.9, longitude: 12.5),
          "seal": .data([0, 255]),
          "twin": .with { $0.referenceValue = "\(root)/towns/paris" },
          "embedding": .vector([.float(1.5), .float(-2)]),
        ] as Fields).exact)
    let street = try await get("\(root)/towns/rome/streets/corso")
    #expect(street.fields.exact == (["length": 1500] as Fields).exact)
    let second = "projects/demo-kept/databases/second/documents/c/d"
    #expect(try await get(second).fields.exact == (["n": 1] as Fields).exact)

    // Its index entries are those of this version.
    let found = try await firestore.runQuery(
      .with {
        $0.parent = root
        $0.structuredQuery = .of("towns").filtered(
          by: .field("mayor.name", op: .equal, value: "Gualtieri"))
      }, as: .owner)
    #expect(found.map(\.document.name) == [rome.name])
    let written = try await firestore.commit(
      .with {
        $0.database = "projects/demo-kept/databases/(default)"
        $0.writes = [
          .with {
            $0.update = rome
            $0.update.fields = ["people": 1]
            $0.updateMask.fieldPaths = ["people"]
          }
        ]
      }, as: .owner)
    #expect(written.commitTime.microseconds > rome.updateTime.microseconds)
    #expect(try await get(rome.name).fields.keys == rome.fields.keys)
  }
}
