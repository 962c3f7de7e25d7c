import Foundation
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthLimits
import HearthOperations
import HearthTime
import SwiftProtobuf
import Testing

/// What production refuses and the official emulator does not.
@Suite struct `Limits of production` {
  /// A document of its own for each case, and the refusal; nil where it is just within the limit.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let path: String
    let fields: @Sendable () -> Fields
    let refusal: String?

    init(
      _ name: String, path: String = "c/a", refusal: String? = nil,
      fields: @escaping @Sendable () -> Fields
    ) {
      testDescription = name
      self.path = path
      self.fields = fields
      self.refusal = refusal
    }
  }

  private static let tooMany = "too many index entries for entity /c/a"
  private static let tooBig = "Transaction too big. Decrease transaction size."

  private static func numbers(_ count: Int) -> Value {
    list((0..<count).map { Value(integerLiteral: Int64($0)) })
  }

  private static func list(_ values: [Value]) -> Value {
    .with { $0.arrayValue.values = values }
  }

  private static func flags(_ count: Int) -> Fields {
    Fields((0..<count).map { (key: "f\($0)", value: Value.with { $0.booleanValue = true }) })
  }

  private static func texts(_ count: Int) -> Value {
    list((0..<count).map { Value(stringLiteral: "text number \($0)") })
  }

  static let cases = [
    Case("19,999 elements") { ["a": numbers(19_999)] },
    Case("20,000 elements", refusal: tooMany) { ["a": numbers(20_000)] },
    Case("20,000 fields") { flags(20_000) },
    Case("20,001 fields", refusal: tooMany) { flags(20_001) },
    Case("equal elements") { ["a": list(Array(repeating: "x", count: 30_000))] },
    Case("entries of 7,680 bytes", path: named(1640, parent: 3010)) { ["f": "x"] },
    Case(
      "an entry that is too large", path: named(1641, parent: 3010),
      refusal: "Index entry is too large."
    ) { ["f": "x"] },
    Case(
      "a path that is too long", path: named(1660, parent: 3010),
      refusal: "Index entry is too large."
    ) { [:] },
    Case("few entries of many bytes", path: "c/" + String(repeating: "n", count: 1490)) {
      ["a": texts(6000)]
    },
    Case("all entries together", path: "c/" + String(repeating: "n", count: 1490), refusal: tooBig)
    {
      ["a": texts(12_000)]
    },
  ]

  /// The path of a document with a name of many bytes, and one of its parent.
  private static func named(_ own: Int, parent: Int) -> String {
    func part(_ count: Int) -> String {
      // No id may have more than 1500 bytes.
      let half = count / 2
      return String(repeating: "c", count: half - 1) + "/"
        + String(repeating: "d", count: count - half - 1)
    }
    return part(parent - 16) + "/" + part(own - 16)
  }

  @Test(arguments: cases) func `of index entries`(_ given: Case) async throws {
    let production = try Rig { $0.limits = .production }
    let write = Write.set(given.path, fields: given.fields())
    if let refusal = given.refusal {
      let error = await #expect(throws: APIError.self) { try await production.commit([write]) }
      #expect(error?.code == .invalidArgument && error?.message == refusal)
    } else {
      _ = try await production.commit([write])
    }
    _ = try await Rig().commit([write])
  }

  @Test func `of exempt fields and composite indexes`() async throws {
    let group = GroupIndexing(
      overrides: [["a"]: FieldIndexing(), ["m"]: FieldIndexing(ordered: 1)],
      composites: [
        CompositeIndexing(fields: [["m", "x"], ["b"]], contained: ["b"], isOfGroup: false)
      ])
    let rig = try Rig(
      { $0.limits = .production }, indexing: { _, id in id == "c" ? group : .automatic })
    // None for `a`; 2 for `m` and `m.x` together; 2 for `b` and 3 for each of its elements.
    func write(_ count: Int) -> Write {
      .set(
        "c/a",
        fields: [
          "a": Self.numbers(30_000), "b": Self.numbers(count),
          "m": .with { $0.mapValue.fields = ["x": 1] },
        ])
    }
    _ = try await rig.commit([write(13_332)])
    let more = write(13_333)
    let error = await #expect(throws: APIError.self) { try await rig.commit([more]) }
    #expect(error?.message == Self.tooMany)
  }

  @Test func `of all documents of a commit`() async throws {
    let bytes = Value.with { $0.bytesValue = Data(repeating: 1, count: 1_000_000) }
    let writes = (0..<11).map { Write.set("c/\($0)", fields: ["b": bytes]) }
    let rig = try Rig { $0.limits = .production }
    _ = try await rig.commit(Array(writes.prefix(10)))
    let error = await #expect(throws: APIError.self) {
      try await rig.commit([.set("c/new", fields: ["n": 1])] + writes.map(\.changed))
    }
    #expect(error?.message == Self.tooBig)
    #expect(try await rig.ids(.of("c")).count == 10)
    _ = try await Rig().commit(writes)
  }

  @Test(arguments: [
    (steps: [59, 59, 59, 59, 33], isAlive: true), (steps: [59, 59, 59, 59, 34], isAlive: false),
    (steps: [60], isAlive: false),
  ]) func `of the age of a transaction`(steps: [Int], isAlive: Bool) async throws {
    let rig = try Rig { $0.limits = .production }
    try await rig.set(["c/a": ["n": 1]])
    let id = try await rig.begin()
    func read() async throws {
      _ = try await rig.firestore.getDocument(
        .with {
          $0.name = name("c/a")
          $0.transaction = id
        }, as: .owner)
    }
    for step in steps.dropLast() {
      rig.clocks.advance("demo", by: .seconds(step))
      try await read()
    }
    rig.clocks.advance("demo", by: .seconds(steps.last ?? 0))
    if isAlive { return try await read() }
    let error = await #expect(throws: APIError.self) { try await read() }
    #expect(error?.message == "The referenced transaction has expired or is no longer valid.")
    #expect(error?.code == .invalidArgument)
  }

  @Test func `do not hold for the emulator's transactions`() async throws {
    let rig = try Rig()
    let id = try await rig.begin()
    rig.clocks.advance("demo", by: .seconds(1000))
    _ = try await rig.commit([.set("c/a", fields: ["n": 1])], in: id)
  }

  @Test func `are one table`() {
    let limits = Limit.groups.flatMap(\.limits)
    #expect(Set(limits.map(\.name)).count == limits.count)
    #expect(Limit.lines.count == limits.count)
    for limit in limits { #expect(!limit.refusal("a", "b").contains("{"), "\(limit.name)") }
    #expect(
      Limit.documentSize.refusal("x", Limit.grouped(1_060_109))
        == "Document 'x' cannot be written because its size (1,060,109 bytes) exceeds the maximum "
        + "allowed size of 1,048,576 bytes.")
    #expect(Limit.markdown.contains("| an index entry | 7,680 bytes | `limits: production` |"))
  }
}

extension Write {
  /// The same with another field.
  fileprivate var changed: Write {
    var write = self
    write.update.fields["more"] = 1
    return write
  }
}

extension Rig {
  fileprivate func begin() async throws -> Data {
    try await firestore.beginTransaction(
      .with { $0.database = Rig.database.description }, as: .owner
    ).transaction
  }
}
