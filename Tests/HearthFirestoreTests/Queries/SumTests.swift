import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

/// Sums without rounding, whatever the order of their numbers is.
@Suite struct `A sum` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  private static let least = Double.leastNonzeroMagnitude
  private static let cases: [([Value], Value, Double)] = [
    ([.float(0.1), .float(0.2), .float(0.3)], .float(0.6), 0.6 / 3),
    (Array(repeating: .float(0.1), count: 10), .float(1), 0.1),
    ([.float(1e308), .float(1e308), .float(-1e308)], .float(1e308), 1e308 / 3),
    ([.float(1e308), .float(1e308)], .float(.infinity), .infinity),
    ([.int(1 << 62), .int(1 << 62), .int(-1 << 62), .int(-1 << 62)], .int(0), 0),
    ([.int(.max), .int(1), .int(-1)], .int(.max), 0x1p63 / 3),
    ([.int(.max), .int(1)], .float(0x1p63), 0x1p62),
    (
      [.float(0x1p53)] + Array(repeating: 1, count: 100), .float(0x1p53 + 100), (0x1p53 + 100) / 101
    ),
    ([.int((1 << 53) + 1), .float(1)], .float(0x1p53 + 2), 0x1p52 + 1),
    ([.float(1e16), .float(1), .float(-1e16)], .float(1), 1.0 / 3),
    ([.float(least), .float(least)], .float(2 * least), least),
    ([.float(1), .float(-1), .float(-3 * least)], .float(-3 * least), -least),
    ([.float(.infinity), .float(-.infinity)], .float(.nan), .nan),
    ([.float(.infinity), .int(1)], .float(.infinity), .infinity),
    ([.float(.nan), .float(1)], .float(.nan), .nan),
    ([.float(-0.0)], .float(0), 0),
    ([.float(1), .int(2)], .float(3), 1.5),
    ([.int(1), .int(2), .int(2), "text"], .int(5), 5.0 / 3),
  ]

  @Test(arguments: cases) func `is exact, and so is an average`(
    numbers: [Value], sum: Value, average: Double
  ) async throws {
    for order in [numbers, numbers.reversed()] {
      for (index, number) in order.enumerated() { try await rig.set(["c/\(index)": ["n": number]]) }
      let found = try await rig.aggregate(
        .of("c"),
        aggregations: [
          .with { $0.sum.field.fieldPath = "n" },
          .with { $0.avg.field.fieldPath = "n" },
        ])
      #expect(found["field_1"]?.exact == sum.exact)
      #expect(found["field_2"]?.exact == Value.float(average).exact)
    }
  }

  private static let parts: [(StructuredQuery, Int64, Int64)] = [
    (.with { $0.limit = .with { $0.value = 1 } }, 5, 1),
    (.with { $0.offset = 1 }, 7, 1),
    (
      .with {
        $0.endAt.values = [1]
        $0.limit = .with { $0.value = 2 }
      }, 5, 1
    ),
    (StructuredQuery(), 12, 2),
  ]

  /// A part of a result is one of the documents that have the field, also after a cursor.
  @Test(arguments: parts) func `of a part is of documents that have the field`(
    part: StructuredQuery, sum: Int64, count: Int64
  ) async throws {
    try await rig.set([
      "c/1": ["v": 0], "c/2": ["v": 1, "a": 5], "c/3": ["v": 2, "a": 7], "c/4": ["a": 1],
    ])
    for isFromStart in [false, true] {
      var query = part
      query.from = StructuredQuery.of("c").from
      query = query.ordered(by: "v")
      if isFromStart {
        query.startAt.values = [0]
        query.startAt.before = true
      }
      let found = try await rig.aggregate(
        query, aggregations: [.with { $0.sum.field.fieldPath = "a" }, .with { $0.count = .init() }])
      #expect(found["field_1"] == .int(sum) && found["field_2"] == .int(count))
    }
  }
}
