import Foundation
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthTime
import SwiftProtobuf
import Testing

/// How far back reads reach.
@Suite struct `Reads of the past` {
  private static func read(_ rig: Rig, at time: Int64) async throws(APIError) {
    _ = try await rig.firestore.getDocument(
      .with {
        $0.name = name("c/a")
        $0.readTime = ProtoTimestamp(microseconds: time)
      }, as: .owner)
  }

  private static func begin(_ rig: Rig, at time: Int64) async throws(APIError) {
    _ = try await rig.firestore.beginTransaction(
      .with {
        $0.database = Rig.database.description
        $0.options.readOnly.readTime = ProtoTimestamp(microseconds: time)
      }, as: .owner)
  }

  @Test func `reach an hour back by the project's clock, as in production`() async throws {
    let rig = try Rig { $0.limits = .production }
    let time = try await rig.commit([.set("c/a", fields: ["n": 1])]).commitTime.microseconds
    rig.clocks.advance("demo", by: .seconds(3600))
    try await Self.read(rig, at: time)
    try await Self.begin(rig, at: time)
    rig.clocks.advance("demo", by: .seconds(1))
    let refusals = [
      await #expect(throws: APIError.self) { try await Self.read(rig, at: time) },
      await #expect(throws: APIError.self) { try await Self.begin(rig, at: time) },
      await #expect(throws: APIError.self) {
        try await rig.run(.of("c"), at: time)
      },
    ]
    for refusal in refusals {
      #expect(refusal?.code == .failedPrecondition)
      #expect(refusal?.message == "The requested 'read_time' is too old.")
    }
  }

  @Test func `reach as far as the log for the emulator`() async throws {
    let rig = try Rig()
    let time = try await rig.commit([.set("c/a", fields: ["n": 1])]).commitTime.microseconds
    rig.clocks.advance("demo", by: .seconds(1_000_000))
    try await Self.read(rig, at: time)
  }

  @Test func `do not reach before the database, as in production`() async throws {
    let rig = try Rig { $0.answers = .production }
    let refusal = await #expect(throws: APIError.self) {
      try await Self.read(rig, at: 1_577_836_800_000_000)
    }
    #expect(refusal?.code == .invalidArgument)
    #expect(
      refusal?.message
        == "The requested 'read_time' cannot be before database creation time.")
  }

  @Test func `say what was cut for want of room`() async throws {
    var bounds = HistoryBounds()
    bounds.bytes = 1 << 20
    let rig = try Rig(history: bounds)
    let time = try await rig.commit([.set("c/a", fields: ["n": 0])]).commitTime.microseconds
    let text = Value(stringLiteral: String(repeating: "x", count: 10_000))
    for number in 1..<300 {
      try await rig.set(["c/a": ["n": Value(integerLiteral: Int64(number)), "text": text]])
    }
    let refusal = await #expect(throws: APIError.self) { try await Self.read(rig, at: time) }
    #expect(refusal?.code == .failedPrecondition)
    let message = refusal?.message ?? ""
    #expect(message.hasPrefix("The requested 'read_time' is too old. Commits up to 2027-01-15T"))
    #expect(message.hasSuffix("have left the log of commits, which holds 1 MB."))
  }
}
