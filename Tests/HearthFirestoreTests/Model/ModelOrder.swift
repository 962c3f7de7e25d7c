import Foundation
import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf

/// The order of values, written down from its description and with nothing in mind but that.
/// https://firebase.google.com/docs/firestore/manage-data/data-types#value_type_ordering
enum ModelOrder {
  /// Negative, zero or positive.
  static func compare(_ left: Value, _ right: Value) -> Int {
    let (leftRank, rightRank) = (rank(left), rank(right))
    guard leftRank == rightRank else { return leftRank < rightRank ? -1 : 1 }
    switch (left.valueType, right.valueType) {
    case (.booleanValue(let a)?, .booleanValue(let b)?): return a == b ? 0 : a ? 1 : -1
    case (.timestampValue(let a)?, .timestampValue(let b)?):
      return a.seconds == b.seconds ? sign(a.nanos, b.nanos) : sign(a.seconds, b.seconds)
    case (.stringValue(let a)?, .stringValue(let b)?): return bytes(a.utf8, b.utf8)
    case (.bytesValue(let a)?, .bytesValue(let b)?): return bytes(a, b)
    case (.referenceValue(let a)?, .referenceValue(let b)?): return names(a, b)
    case (.geoPointValue(let a)?, .geoPointValue(let b)?):
      let sign = degrees(a.latitude, b.latitude)
      return sign == 0 ? degrees(a.longitude, b.longitude) : sign
    case (.arrayValue(let a)?, .arrayValue(let b)?): return lists(a.values, b.values)
    case (.mapValue(let a)?, .mapValue(let b)?):
      guard let a = vector(left), let b = vector(right) else { return maps(a.fields, b.fields) }
      return a.count == b.count ? lists(a, b) : sign(a.count, b.count)
    default: return numbers(left, right)
    }
  }

  static func rank(_ value: Value) -> Int {
    switch value.valueType {
    case .nullValue?, nil: 0
    case .booleanValue?: 1
    case .integerValue?, .doubleValue?: 2
    case .timestampValue?: 3
    case .stringValue?: 4
    case .bytesValue?: 5
    case .referenceValue?: 6
    case .geoPointValue?: 7
    case .arrayValue?: 8
    case .mapValue?: vector(value) == nil ? 10 : 9
    default: 11
    }
  }

  static func vector(_ value: Value) -> [Value]? {
    guard value.mapValue.fields["__type__"]?.stringValue == "__vector__" else { return nil }
    return value.mapValue.fields["value"]?.arrayValue.values
  }

  private static func sign<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    left == right ? 0 : left < right ? -1 : 1
  }

  /// A negative zero comes before zero.
  private static func degrees(_ left: Double, _ right: Double) -> Int {
    if left.bitPattern == right.bitPattern { return 0 }
    return left.isTotallyOrdered(belowOrEqualTo: right) ? -1 : 1
  }

  private static func bytes<Bytes: Sequence<UInt8>>(_ left: Bytes, _ right: Bytes) -> Int {
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  /// NaN is the smallest number; else they compare by value, whatever their type.
  private static func numbers(_ left: Value, _ right: Value) -> Int {
    switch (left.valueType, right.valueType) {
    case (.integerValue(let a)?, .integerValue(let b)?): sign(a, b)
    case (.doubleValue(let a)?, .doubleValue(let b)?):
      a.isNaN || b.isNaN ? (a.isNaN ? 0 : 1) - (b.isNaN ? 0 : 1) : sign(a, b)
    case (.integerValue(let a)?, .doubleValue(let b)?): integer(a, b)
    case (.doubleValue(let a)?, .integerValue(let b)?): -integer(b, a)
    default: 0
    }
  }

  private static func integer(_ left: Int64, _ right: Double) -> Int {
    if right.isNaN { return 1 }
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right.rounded(.down))
    return left == whole ? (right > right.rounded(.down) ? -1 : 0) : sign(left, whole)
  }

  /// Segment by segment; ids of the form `__id7__` are numbers, and come first.
  static func names(_ left: String, _ right: String) -> Int {
    let (left, right) = (ids(left), ids(right))
    for (a, b) in zip(left, right) {
      let order =
        switch (number(a), number(b)) {
        case (let a?, let b?): sign(a, b)
        case (_?, nil): -1
        case (nil, _?): 1
        case (nil, nil): bytes(a.utf8, b.utf8)
        }
      if order != 0 { return order }
    }
    return sign(left.count, right.count)
  }

  /// By bytes: a slash and a combining mark after it are one `Character`.
  private static func ids(_ name: String) -> [Substring] {
    name.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
  }

  private static func number(_ id: Substring) -> Int64? {
    guard id.hasPrefix("__id"), id.hasSuffix("__") else { return nil }
    return Int64(id.dropFirst(4).dropLast(2))
  }

  private static func lists(_ left: [Value], _ right: [Value]) -> Int {
    for (a, b) in zip(left, right) {
      let order = compare(a, b)
      if order != 0 { return order }
    }
    return sign(left.count, right.count)
  }

  /// Keys in their order, each before its value; the longer map is the larger one.
  private static func maps(_ left: Fields, _ right: Fields) -> Int {
    func sorted(_ fields: Fields) -> [(key: String, value: Value)] {
      fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
    for (a, b) in zip(sorted(left), sorted(right)) {
      let order = bytes(a.key.utf8, b.key.utf8)
      if order != 0 { return order }
      let inner = compare(a.value, b.value)
      if inner != 0 { return inner }
    }
    return sign(left.count, right.count)
  }
}
