import HearthCrypto
import HearthErrors
import HearthFirestoreProtos
import HearthTestSupport
import SwiftProtobuf
import Testing

@testable import HearthFirestore

@Suite struct `The bytes of values` {
  @Test(arguments: UInt64(0)..<8) func `stand in the order of the values`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let values = (0..<160).map { _ in random.edgeValue() }
    let bytes = values.map(\.orderedBytes)
    for left in values.indices {
      for right in values.indices {
        let wanted = ModelOrder.compare(values[left], values[right])
        let found =
          bytes[left] == bytes[right] ? 0 : bytes[left].isLess(than: bytes[right]) ? -1 : 1
        guard wanted != found else { continue }
        Issue.record(
          "seed \(seed): \(values[left].exact) to \(values[right].exact) is \(found), not \(wanted)"
        )
      }
    }
  }

  @Test(arguments: UInt64(0)..<8) func `of equal values are of one fingerprint`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let values = (0..<160).map { _ in random.edgeValue() }
    for (_, equal) in Dictionary(grouping: values, by: \.orderedBytes) {
      #expect(Set(equal.map(\.fingerprint)).count == 1, "seed \(seed): \(equal.map(\.exact))")
    }
    #expect(Set(EdgeValues.texts.map { Value.text($0).fingerprint }).count > 1)
  }

  /// So that keys can be put together by appending.
  @Test(arguments: UInt64(0)..<8) func `are never the beginning of others`(seed: UInt64) {
    var random = SplitMix(seed: seed &+ 100)
    let values = (0..<160).map { _ in random.edgeValue() }
    let bytes = values.map(\.orderedBytes)
    for left in values.indices {
      for right in values.indices where bytes[left] != bytes[right] {
        #expect(
          !bytes[right].starts(with: bytes[left]),
          "seed \(seed): \(values[left].exact) begins \(values[right].exact)")
      }
    }
  }

  /// The model itself: what is sorted with it must be in order from each place to each later one.
  @Test(arguments: UInt64(0)..<8) func `follow an order`(seed: UInt64) {
    var random = SplitMix(seed: seed &+ 200)
    let values = (0..<120).map { _ in random.edgeValue() }
      .sorted { ModelOrder.compare($0, $1) < 0 }
    for left in values.indices {
      for right in values.indices {
        let order = ModelOrder.compare(values[left], values[right])
        #expect(order == -ModelOrder.compare(values[right], values[left]))
        if left < right { #expect(order <= 0, "seed \(seed)") }
      }
    }
  }

  @Test(arguments: UInt64(0)..<8) func `give the segments of paths back`(seed: UInt64) {
    var random = SplitMix(seed: seed &+ 300)
    for _ in 0..<200 {
      let segments = (0..<random.number(1...4)).map { _ in random.edgeText() }
      let back = OrderedBytes.segments(of: OrderedBytes.path(segments))
      #expect(back.map(\.exact) == segments.map(\.exact), "seed \(seed)")
      let reference = segments.filter { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "/")) }
      let bytes = Value.with { $0.referenceValue = reference.joined(separator: "/") }.orderedBytes
      #expect(
        OrderedBytes.segments(ofReference: bytes)?.map(\.exact) == reference.map(\.exact),
        "seed \(seed)")
    }
  }

  @Test func `tell no number from its equal of the other type`() {
    for integer in EdgeValues.integers {
      guard let exact = Double(exactly: integer) else { continue }
      #expect(Value.int(integer).orderedBytes == Value.float(exact).orderedBytes)
    }
    #expect(Value.float(0).orderedBytes == Value.float(-0.0).orderedBytes)
    #expect(Value.float(.nan).orderedBytes == Value.float(-.nan).orderedBytes)
  }
}

@Suite struct `Stored fields` {
  @Test(arguments: UInt64(0)..<8) func `come back as they were`(seed: UInt64) throws {
    var random = SplitMix(seed: seed &+ 400)
    for _ in 0..<50 {
      var fields: Fields = [:]
      for _ in 0..<random.number(0...6) { fields[random.edgeText()] = random.edgeValue(depth: 3) }
      let back = try StoredDocument.fields(of: StoredDocument.data(of: fields))
      #expect(back.exact == fields.exact, "seed \(seed)")
    }
  }
}

@Suite struct `A field path` {
  @Test(arguments: UInt64(0)..<8) func `comes back from its text`(seed: UInt64) throws {
    var random = SplitMix(seed: seed &+ 500)
    let names = EdgeValues.texts + ["`", "\\", "a.b", "a`b\\", "1a", "_", "a1", " ", "__name__x"]
    for _ in 0..<200 {
      let segments = (0..<random.number(1...3)).map { _ in random.pick(names) }
        .filter { !$0.isEmpty }
      guard !segments.isEmpty else { continue }
      let path = FieldPath(segments: segments)
      #expect(
        try FieldPath(path.description).segments.map(\.exact) == segments.map(\.exact),
        "seed \(seed): \(path)")
    }
  }

  @Test(arguments: ["", ".", "a.", ".a", "a..b", "`", "`a", "a`", "``", "`a`b", "a b", "1a", "é"])
  func `that is not one is refused`(text: String) {
    #expect(throws: APIError.self) { try FieldPath(text) }
  }
}
