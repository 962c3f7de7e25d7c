import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthWire
import SwiftProtobuf
import Testing

/// Whose rules hold where.
@Suite struct `Rules of a project and of its databases` {
  private static let other = DatabaseName(project: "demo", database: "other")
  private static let project = Firestore.RulesOwner.project("demo")
  private static let standard = Firestore.RulesOwner.database(Rig.database)

  private let rig: Rig

  init() throws { rig = try Rig() }

  private func allow(_ collection: String, of owner: Firestore.RulesOwner) throws {
    let source = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{d}/documents/\(collection)/{x} { allow read; }
      }
      """
    _ = try rig.firestore.setSecurityRules(
      of: owner, ["rules": ["files": [["content": .string(source)]]]])
  }

  /// The collections of `a`, `b` and `c` that anybody may read.
  private func open(_ database: DatabaseName) async throws -> String {
    var found = ""
    for collection in ["a", "b", "c"] {
      do throws(APIError) {
        _ = try await rig.firestore.runQuery(
          .with {
            $0.parent = database.documents
            $0.structuredQuery = .of(collection)
          }, as: .nobody)
        found += collection
      } catch {
        guard error.code == .permissionDenied else { throw error }
      }
    }
    return found
  }

  @Test func `the last of the project and of its usual database hold`() async throws {
    #expect(try await open(Rig.database) == "abc")
    try allow("a", of: Self.project)
    #expect(try await open(Rig.database) == "a")
    try allow("b", of: Self.standard)
    #expect(try await open(Rig.database) == "b")
    try allow("c", of: Self.project)
    #expect(try await open(Rig.database) == "c")
  }

  @Test func `are read where they were put`() throws {
    try allow("b", of: Self.standard)
    #expect(
      rig.firestore.securityRules(of: Self.project)
        == rig.firestore.securityRules(of: Self.standard))
  }

  @Test func `hold for another database until it has its own`() async throws {
    try allow("a", of: Self.standard)
    #expect(try await open(Self.other) == "a")
    try allow("b", of: .database(Self.other))
    try allow("c", of: Self.project)
    #expect(try await open(Self.other) == "b")
    #expect(try await open(Rig.database) == "c")
  }
}
