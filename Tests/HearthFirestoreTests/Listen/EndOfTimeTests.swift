import HearthFirestore
import HearthFirestoreProtos
import HearthSQLite
import HearthTestSupport
import HearthTime
import SwiftProtobuf
import Testing

/// A clock that has come to the end of what timestamps can tell.
@Suite struct `At the end of the year 9999` {
  private static let latest = ProtoTimestamp(microseconds: 253_402_300_799_999_999)
  private let clocks = ProjectClocks(ManualClock())
  private let firestore: Firestore

  init() throws {
    firestore = try Firestore(
      store: try Store(migrations: Firestore.migrations), clocks: clocks, rules: RulesTable())
  }

  private func write(_ number: Int64) async throws -> WriteResult {
    try await firestore.commit(
      .with {
        $0.database = Rig.database.description
        $0.writes = [.set("c/a", fields: ["n": .int(number)])]
      }, as: .owner
    ).writeResults[0]
  }

  @Test func `documents are still read and written, and clearing leads back`() async throws {
    let now = try await write(0).updateTime.microseconds
    clocks.set("demo", to: Timestamp(milliseconds: Timestamp.latest.milliseconds - 500))
    _ = try await write(1)
    clocks.advance("demo", by: .seconds(3600))
    #expect(clocks.now(of: "demo") == .latest)
    for number in 2..<2000 as Range<Int64> { _ = try await write(number) }
    let last = try await write(2000)
    #expect(last.updateTime == Self.latest)
    let found = try await firestore.getDocument(.with { $0.name = name("c/a") }, as: .owner)
    #expect(found.fields["n"]?.integerValue == 2000 && found.updateTime == Self.latest)

    #expect(try await write(2000).updateTime == Self.latest)
    clocks.reset("demo")
    #expect(try await write(2001).updateTime == Self.latest)
    try await firestore.clear(Rig.database)
    #expect(try await write(2002).updateTime.microseconds < now + 1_000_000)
  }
}
