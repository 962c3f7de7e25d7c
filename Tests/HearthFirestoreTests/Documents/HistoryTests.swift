import Foundation
import HearthErrors
import HearthFirestoreProtos
import HearthTestSupport
import HearthTime
import SwiftProtobuf
import Testing

@testable import HearthFirestore

/// What is kept of the past, and how much memory it takes.
@Suite struct `The log of commits` {
  private static let text = Value.with { $0.stringValue = String(repeating: "x", count: 10_000) }

  @Test func `takes no more bytes than it may`() async throws {
    var bounds = HistoryBounds()
    bounds.bytes = 500_000
    let rig = try Rig(history: bounds)
    for number in 0..<200 {
      try await rig.set(["c/a": ["n": Value(integerLiteral: Int64(number)), "text": Self.text]])
      #expect(rig.firestore.log.bytes <= bounds.bytes)
    }
    #expect(rig.firestore.log.bytes > bounds.bytes / 4)
  }

  @Test func `keeps a commit that is larger than all of it`() async throws {
    var bounds = HistoryBounds()
    bounds.bytes = 5000
    let rig = try Rig(history: bounds)
    try await rig.set(["c/a": ["n": 1]])
    var listening = Listening(rig)
    listening.add(.documents(2, paths: ["c/a"]))
    for _ in 0..<4 { _ = await listening.next() }
    try await rig.set(["c/a": ["n": 2, "text": Self.text]])
    #expect(await listening.next()?.documentChange.document.fields["n"] == 2)
    try await listening.end()
  }

  @Test func `forgets old commits when there are many, and young ones only for want of room`()
    async throws
  {
    var bounds = HistoryBounds()
    bounds.changes = 10
    bounds.seconds = 100
    let rig = try Rig(history: bounds)
    let first = try await rig.commit([.set("c/a", fields: ["n": 0])]).commitTime.microseconds
    for number in 1..<50 { try await rig.set(["c/a": ["n": Value(integerLiteral: Int64(number))]]) }
    #expect(try await rig.number(at: first) == 0)
    rig.clock.advance(by: .seconds(101))
    let late = try await rig.commit([.set("c/a", fields: ["n": 50])]).commitTime.microseconds
    #expect(try await rig.number(at: late) == 50)
    await #expect(throws: APIError.self) { try await rig.number(at: first) }
  }

  @Test func `tells what was, also of commits that were put aside`() async throws {
    let rig = try Rig()
    var times: [Int64] = []
    for number in 0..<1500 {
      times.append(
        try await rig.commit([.set("c/a", fields: ["n": Value(integerLiteral: Int64(number))])])
          .commitTime.microseconds)
    }
    for number in [0, 1, 400, 1000, 1499] {
      #expect(try await rig.number(at: times[number]) == Int64(number))
    }
  }

  @Test func `does not lose one database's past to the writes of another`() async throws {
    var bounds = HistoryBounds()
    bounds.bytes = 200_000
    let rig = try Rig(history: bounds)
    let time = try await rig.commit([.set("c/a", fields: ["n": 1])]).commitTime.microseconds
    _ = try await rig.commit([.set("c/a", fields: ["n": 2])])
    let other = DatabaseName(project: "demo", database: "other")
    let write = Write.with {
      $0.update.name = "\(other.documents)/c/a"
      $0.update.fields = ["text": Self.text]
    }
    for number in 0..<100 {
      var write = write
      write.update.fields["n"] = Value(integerLiteral: Int64(number))
      _ = try await rig.commit([write], database: other)
    }
    #expect(try await rig.number(at: time) == 1)
  }

  @Test func `is empty after the documents were cleared, and listeners hear of it`() async throws {
    let rig = try Rig()
    let time = try await rig.commit([.set("c/a", fields: ["n": 1])]).commitTime.microseconds
    var listening = Listening(rig)
    listening.add(.query(2, query: .of("c")))
    for _ in 0..<4 { _ = await listening.next() }
    try await rig.firestore.clear(Rig.database)
    #expect(rig.firestore.log.bytes == 0)
    #expect(await listening.next()?.documentDelete.document == name("c/a"))
    await #expect(throws: APIError.self) { try await rig.number(at: time) }
    _ = await listening.next()
    try await rig.set(["c/b": ["n": 2]])
    #expect(await listening.next()?.documentChange.document.name == name("c/b"))
    try await listening.end()
  }
}

extension Rig {
  /// The field `n` of `c/a` at a time.
  fileprivate func number(at time: Int64) async throws(APIError) -> Int64? {
    try await firestore.getDocument(
      .with {
        $0.name = name("c/a")
        $0.readTime = ProtoTimestamp(microseconds: time)
      }, as: .owner
    ).fields["n"]?.integerValue
  }
}
