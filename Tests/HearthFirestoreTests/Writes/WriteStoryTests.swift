import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

/// What writes got wrong once.
@Suite struct `A write` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  @Test(arguments: [
    (Value.float(0), Value.float(-0.0)), ("é", "e\u{301}"), (.int(1), .float(1)),
    (.list([.float(0)]), .list([.float(-0.0)])),
  ])
  func `of what is equal but not the same is a change`(from: Value, to: Value) async throws {
    let first = try await rig.commit([.set("c/a", fields: ["v": from])])
    let second = try await rig.commit([.set("c/a", fields: ["v": to])])
    #expect(first.writeResults[0].updateTime != second.writeResults[0].updateTime)
    #expect(try await rig.run(.of("c"))[0].fields["v"]?.exact == to.exact)
  }

  @Test func `of the same NaN is no change`() async throws {
    let first = try await rig.commit([.set("c/a", fields: ["v": .float(.nan)])])
    let second = try await rig.commit([.set("c/a", fields: ["v": .float(.nan)])])
    #expect(first.writeResults[0].updateTime == second.writeResults[0].updateTime)
  }

  /// SQLite's interface takes C strings: `a\0b` was written to `a`.
  @Test func `to a name with a null character is to no other document`() async throws {
    try await rig.set(["c/a": ["n": 1], "c/a\u{0}b": ["n": 2], "c/a\u{1}": ["n": 3]])
    let found = try await rig.run(.of("c")).map { "\($0.name.exact) \($0.fields.exact)" }
    #expect(
      found == [
        "\(name("c/a").exact) {\"n\": 1}", "\(name("c/a\u{0}b").exact) {\"n\": 2}",
        "\(name("c/a\u{1}").exact) {\"n\": 3}",
      ])
  }
}
