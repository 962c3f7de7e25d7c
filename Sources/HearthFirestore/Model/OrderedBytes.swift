import HearthFirestoreProtos
import HearthWire
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Values as bytes whose order is the order of values: index keys, sort keys and comparisons are
/// all made of them.
///
/// The first byte is the type. Every encoding ends itself, so that none is the beginning of
/// another, and keys can be put together by appending.
enum OrderedBytes {
  enum Kind {
    // Gaps leave room for types to come: keys are in databases that people keep. `end` is the lowest,
    // so that the shorter of two lists that begin alike is first.
    static let end: UInt8 = 0x00
    static let member: UInt8 = 0x01
    static let null: UInt8 = 0x10
    static let boolean: UInt8 = 0x20
    static let number: UInt8 = 0x30
    static let timestamp: UInt8 = 0x40
    static let string: UInt8 = 0x50
    static let bytes: UInt8 = 0x60
    static let reference: UInt8 = 0x70
    static let geoPoint: UInt8 = 0x80
    static let array: UInt8 = 0x90
    static let vector: UInt8 = 0xA0
    static let map: UInt8 = 0xB0
  }

  static func append(_ value: Value, to output: inout [UInt8]) {
    switch value.valueType {
    case .nullValue?, nil: output.append(Kind.null)
    case .booleanValue(let value)?: output += [Kind.boolean, value ? 1 : 0]
    case .integerValue(let value)?: append(value, to: &output)
    case .doubleValue(let value)?: append(value, to: &output)
    case .timestampValue(let time)?:
      output.append(Kind.timestamp)
      append(bits: UInt64(bitPattern: time.seconds) ^ (1 << 63), to: &output)
      append(bits: UInt32(truncatingIfNeeded: time.nanos), to: &output)
    case .stringValue(let text)?:
      output.append(Kind.string)
      append(text: text, to: &output)
    case .bytesValue(let bytes)?:
      output.append(Kind.bytes)
      for byte in bytes { append(escaping: byte, to: &output) }
      output += [0x00, 0x01]
    case .referenceValue(let name)?:
      output.append(Kind.reference)
      append(reference: name.splitAtSlashes.filter { !$0.isEmpty }, to: &output)
      output.append(Kind.end)
    case .geoPointValue(let point)?:
      output.append(Kind.geoPoint)
      append(bits: sortable(bits: point.latitude.bitPattern), to: &output)
      append(bits: sortable(bits: point.longitude.bitPattern), to: &output)
    case .arrayValue(let array)?:
      output.append(Kind.array)
      for element in array.values { append(element, to: &output) }
      output.append(Kind.end)
    case .mapValue(let map)?:
      if let vector = value.vector {
        output.append(Kind.vector)
        append(bits: UInt32(truncatingIfNeeded: vector.count), to: &output)
        for element in vector { append(element, to: &output) }
      } else {
        output.append(Kind.map)
        for (name, member) in map.fields.sorted(by: {
          $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        }) {
          output.append(Kind.member)
          append(text: name, to: &output)
          append(member, to: &output)
        }
        output.append(Kind.end)
      }
    case .fieldReferenceValue?, .variableReferenceValue?, .functionValue?, .pipelineValue?:
      output.append(0xFF)
    }
  }

  // MARK: Numbers

  /// The nearest double, and how far the integer is from it: two integers that share a double stay
  /// apart, and an integer equals its double.
  private static func append(_ value: Int64, to output: inout [UInt8]) {
    let nearest = Double(value)
    let distance =
      nearest >= 0x1p63 ? (value &- Int64.max) &- 1 : value &- Int64(nearest)
    append(number: nearest, distance: distance, to: &output)
  }

  private static func append(_ value: Double, to output: inout [UInt8]) {
    if value.isNaN {
      output += [Kind.number, 0x00]
    } else {
      append(number: value, distance: 0, to: &output)
    }
  }

  private static func append(number: Double, distance: Int64, to output: inout [UInt8]) {
    output += [Kind.number, 0x01]
    append(bits: sortable(number), to: &output)
    let shifted = UInt16(truncatingIfNeeded: distance + 0x8000)
    output += [UInt8(shifted >> 8), UInt8(shifted & 0xFF)]
  }

  /// The bits of a double in the order of doubles; both zeros are one.
  private static func sortable(_ value: Double) -> UInt64 {
    sortable(bits: (value == 0 ? 0 : value).bitPattern)
  }

  /// Negative doubles have the highest bit set and grow downwards: all their bits are inverted. The
  /// others get that bit, so that they follow.
  private static func sortable(bits: UInt64) -> UInt64 {
    bits >> 63 == 1 ? ~bits : bits | (1 << 63)
  }

  private static func append<Bits: FixedWidthInteger>(bits: Bits, to output: inout [UInt8]) {
    withUnsafeBytes(of: bits.bigEndian) { output.append(contentsOf: $0) }
  }

  // MARK: Text

  static func append(text: String, to output: inout [UInt8]) {
    for byte in text.utf8 { append(escaping: byte, to: &output) }
    output += [0x00, 0x01]
  }

  /// A zero is followed by 0xFF, and the end of a text is a zero followed by 0x01: that is lower than
  /// any byte that can follow, so a text is before those that it begins.
  private static func append(escaping byte: UInt8, to output: inout [UInt8]) {
    output.append(byte)
    if byte == 0 { output.append(0xFF) }
  }

  /// Segments one after the other, so that a parent's bytes begin those of its children.
  static func append(path segments: [String], to output: inout [UInt8]) {
    for segment in segments { append(text: segment, to: &output) }
  }

  static func path(_ segments: [String]) -> [UInt8] {
    var output: [UInt8] = []
    append(path: segments, to: &output)
    return output
  }

  private static let numericId: UInt8 = 0x01
  private static let textId: UInt8 = 0x02

  /// Segments of a document's name: ids of the form `__id7__` are numbers, and come first.
  private static func append(reference segments: [String], to output: inout [UInt8]) {
    for segment in segments {
      if let number = ResourcePath.number(ofId: segment) {
        output.append(numericId)
        append(bits: UInt64(bitPattern: number) ^ (1 << 63), to: &output)
      } else {
        output.append(textId)
        append(text: segment, to: &output)
      }
    }
  }

  /// The segments of a reference; nil when one of them is a number.
  static func segments(ofReference bytes: [UInt8]) -> [String]? {
    var rest = bytes.dropFirst().dropLast()
    var segments: [String] = []
    while let tag = rest.popFirst() {
      guard tag == textId else { return nil }
      var text: [UInt8] = []
      while let byte = rest.popFirst() {
        guard byte == 0 else {
          text.append(byte)
          continue
        }
        if rest.popFirst() == 0x01 { break }
        text.append(0)
      }
      segments.append(String(decoding: text, as: UTF8.self))
    }
    return segments
  }

  /// The segments that were written with `path(_:)`.
  static func segments(of path: [UInt8]) -> [String] {
    var segments: [String] = []
    var current: [UInt8] = []
    var index = path.startIndex
    while index < path.endIndex {
      if path[index] == 0, index + 1 < path.endIndex {
        if path[index + 1] == 0x01 {
          segments.append(String(decoding: current, as: UTF8.self))
          current = []
        } else {
          current.append(0)
        }
        index += 2
      } else {
        current.append(path[index])
        index += 1
      }
    }
    return segments
  }

  /// The first bytes after everything that begins with these. What follows them may be any bytes,
  /// 0xFF too, so that nothing can be appended to get there.
  static func end(of prefix: [UInt8]) -> [UInt8] {
    guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return [0xFF, 0xFF] }
    return prefix[..<last] + [prefix[last] + 1]
  }
}

extension Value {
  var orderedBytes: [UInt8] {
    var output: [UInt8] = []
    OrderedBytes.append(self, to: &output)
    return output
  }
}

extension [UInt8] {
  func isLess(than other: [UInt8]) -> Bool {
    let length = Swift.min(count, other.count)
    let order = withUnsafeBytes { left in
      other.withUnsafeBytes { right -> Int32 in
        guard length > 0, let left = left.baseAddress, let right = right.baseAddress else {
          return 0
        }
        return memcmp(left, right, length)
      }
    }
    return order == 0 ? count < other.count : order < 0
  }
}
