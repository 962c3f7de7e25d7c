import Foundation
import HearthCrypto
import HearthFirestore
import HearthFirestoreProtos
import HearthTestSupport
import SwiftProtobuf

/// Documents of every kind of value.
struct RandomDocument {
  var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  private static let ids = [
    "a", "B c", "ä", "__id7__", "__id-9__", "123", "x'y\"z", "line\nbreak", "__id07__", "日本",
  ]

  mutating func path() -> [String] {
    (0..<random.number(1...3)).flatMap { _ in
      [random.pick(["users", "Ω", "c d"]), random.pick(Self.ids)]
    }
  }

  mutating func fields(depth: Int) -> Fields {
    var fields = Fields()
    for index in 0..<random.number(0...(depth == 0 ? 8 : 3)) {
      fields.append(
        random.pick(["f", "ä ö", "with.dot", "`"]) + String(index), value(depth, isInArray: false))
    }
    return fields
  }

  private mutating func value(_ depth: Int, isInArray: Bool) -> Value {
    var value = Value()
    switch random.number(0...(depth < 3 ? 12 : 9)) {
    case 0: value.nullValue = .nullValue
    case 1: value.booleanValue = random.chance(50)
    case 2: value.integerValue = random.pick([0, 1, -1, .max, .min, 42])
    case 3:
      value.doubleValue = random.pick([
        0, -0.0, .nan, .infinity, -.infinity, 1.5, .leastNonzeroMagnitude,
      ])
    case 4:
      value.timestampValue = ProtoTimestamp(
        microseconds: Int64(random.number(-9...9)) * 777_777_777)
    case 5:
      value.stringValue = random.pick([
        "", "x", "a\u{0}b", "😀", String(repeating: "long", count: 900),
      ])
    case 6: value.bytesValue = random.pick([Data(), Data([0, 255]), Data("text".utf8)])
    case 7:
      value.referenceValue =
        "projects/p/databases/\(random.pick(["(default)", "d"]))/documents/c/\(random.pick(Self.ids))"
    case 8:
      value.geoPointValue.latitude = random.pick([0, -90, 45.5])
      value.geoPointValue.longitude = random.pick([-0.0, 180])
    case 9 where !isInArray:
      var array = Value()
      array.arrayValue.values = (0..<random.number(1...4)).map { index in
        .with { $0.doubleValue = Double(index) / 3 }
      }
      value.mapValue.fields = ["__type__": .with { $0.stringValue = "__vector__" }, "value": array]
    case 10 where !isInArray:
      value.arrayValue.values = (0..<random.number(0...4)).map { _ in
        self.value(depth + 1, isInArray: true)
      }
    default: value.mapValue.fields = fields(depth: depth + 1)
    }
    return value
  }
}
