import Foundation
import HearthCrypto
import HearthFirestore
import HearthFirestoreProtos
import HearthTestSupport
import SwiftProtobuf

extension Value {
  static func int(_ value: Int64) -> Value { Value.with { $0.integerValue = value } }
  static func float(_ value: Double) -> Value { Value.with { $0.doubleValue = value } }
  static func bool(_ value: Bool) -> Value { Value.with { $0.booleanValue = value } }
  static func text(_ value: String) -> Value { Value.with { $0.stringValue = value } }
  static func data(_ bytes: [UInt8]) -> Value { Value.with { $0.bytesValue = Data(bytes) } }
  static func document(_ path: String) -> Value { Value.with { $0.referenceValue = name(path) } }
  static func list(_ values: [Value]) -> Value { Value.with { $0.arrayValue.values = values } }
  static func object(_ fields: Fields) -> Value {
    Value.with { $0.mapValue = .with { $0.fields = fields } }
  }

  static func time(_ seconds: Int64, nanos: Int32 = 0) -> Value {
    Value.with {
      $0.timestampValue = .with {
        $0.seconds = seconds
        $0.nanos = nanos
      }
    }
  }

  static func place(_ latitude: Double, longitude: Double) -> Value {
    Value.with {
      $0.geoPointValue = .with {
        $0.latitude = latitude
        $0.longitude = longitude
      }
    }
  }

  static func vector(_ values: [Value]) -> Value {
    .object(["__type__": .text("__vector__"), "value": .list(values)])
  }

  static var nothing: Value { Value.with { $0.nullValue = .nullValue } }
}

/// Values where orders go wrong: the edges of every type and what lies beside them.
enum EdgeValues {
  static let integers: [Int64] = [
    0, 1, -1, .max, .min, .max - 1, .min + 1, 1 << 53, (1 << 53) + 1, (1 << 53) + 2, (1 << 53) - 1,
    -(1 << 53), -(1 << 53) - 1, (1 << 62) + 1, (1 << 62) + 255, .max - 511, .max - 512, .max - 513,
  ]
  static let doubles: [Double] = [
    .nan, -.nan, 0, -0.0, 1, -1, 0.1, -0.1, 1.5, .infinity, -.infinity, .leastNonzeroMagnitude,
    -.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0x1p53,
    0x1p53 - 1, 0x1p53 + 2, -0x1p53, 0x1p62, 0x1p63, -0x1p63, 0x1p64, 0x1.fffffffffffffp62,
  ]
  /// Two spellings of one character, neighbours in UTF-8 that stand the other way round in UTF-16,
  /// and what an encoding may take for its own marks.
  static let texts = [
    "", "a", "A", "Z", "ab", "b", "a\u{0}", "a\u{0}b", "\u{0}", "\u{0}\u{1}", "\u{1}", "\u{7F}",
    "\u{80}", "é", "e\u{301}", "ß", "日本", "\u{E000}", "\u{FFFF}", "😀", "👩‍👩‍👧", "\u{10FFFF}",
  ]
  static let bytes: [[UInt8]] = [
    [], [0], [0, 0], [0, 1], [0, 0xFF], [1], [0xFF], [0xFF, 0xFF], [0xFF, 0xFF, 0xFF],
    [0xFF, 0xFF, 1], [0x7F], [0x80],
  ]
  static let times: [(Int64, Int32)] = [
    (0, 0), (0, 1000), (0, 999_999_000), (-1, 0), (-1, 999_999_000), (1, 0),
    (-62_135_596_800, 0), (253_402_300_799, 999_999_000), (1_800_000_000, 5000),
  ]
  static let paths = [
    "c/a", "c/b", "c/é", "c/e\u{301}", "c/a/c/a", "c/a/d/a", "c/10", "c/9", "c/__id7__",
    "c/__id10__", "c/__id-3__", "c/_", "ca/b", "b/😀", "c/a\u{1}", "c/\u{301}a",
  ]
  static let degrees = [0, -0.0, 1, -1, 45.5, -45.5, 90, -90]
}

extension SplitMix {
  mutating func edgeValue(depth: Int = 2) -> Value {
    switch number(0...(depth > 0 ? 13 : 10)) {
    case 0: return chance(50) ? .nothing : .bool(chance(50))
    case 1, 2:
      return .int(
        chance(80) ? pick(EdgeValues.integers) : Int64.random(in: .min ... .max, using: &self))
    case 3, 4:
      return .float(chance(80) ? pick(EdgeValues.doubles) : Double(bitPattern: next()))
    case 5:
      let (seconds, nanos) = pick(EdgeValues.times)
      return .time(seconds, nanos: nanos)
    case 6, 7: return .text(edgeText())
    case 8: return .data(pick(EdgeValues.bytes))
    case 9: return .document(pick(EdgeValues.paths))
    case 10: return .place(pick(EdgeValues.degrees), longitude: pick(EdgeValues.degrees))
    case 11: return .list((0..<number(0...3)).map { _ in edgeValue(depth: depth - 1) })
    case 12:
      return .vector(
        (0..<number(0...3)).map { _ in
          chance(50) ? .int(pick(EdgeValues.integers)) : .float(pick(EdgeValues.doubles))
        })
    default:
      var fields: Fields = [:]
      for _ in 0..<number(0...3) { fields[edgeText()] = edgeValue(depth: depth - 1) }
      return .object(fields)
    }
  }

  mutating func edgeText() -> String {
    if chance(70) { return pick(EdgeValues.texts) }
    let scalars = (0..<number(1...4)).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &self))
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
