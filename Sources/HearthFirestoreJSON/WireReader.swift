/// Reads the bytes of a message field by field. Bytes that are not one end it, at the latest at
/// their end.
package struct WireReader {
  package let bytes: UnsafeBufferPointer<UInt8>
  package private(set) var position: Int
  private let end: Int

  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes, range: 0..<bytes.count) }

  package init(_ bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  package var isAtEnd: Bool { position >= end }

  package mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end, shift < 64 {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  package mutating func tag() -> (number: Int, wireType: Int)? {
    guard let tag = varint(), tag >> 3 > 0, tag >> 3 < 1 << 29 else { return nil }
    return (Int(tag >> 3), Int(tag & 7))
  }

  package mutating func bits() -> UInt64? {
    guard end - position >= 8 else { return nil }
    var value: UInt64 = 0
    for offset in 0..<8 { value |= UInt64(bytes[position + offset]) << UInt64(8 * offset) }
    position += 8
    return value
  }

  /// The range of something with its length before it.
  package mutating func range() -> Range<Int>? {
    guard let length = varint(), length <= UInt64(end - position) else { return nil }
    let start = position
    position += Int(length)
    return start..<position
  }

  /// Passes over the value of a field; false where there is none.
  package mutating func skip(_ wireType: Int) -> Bool {
    switch wireType {
    case 0: return varint() != nil
    case 1: return bits() != nil
    case 2: return range() != nil
    case 5:
      guard end - position >= 4 else { return false }
      position += 4
      return true
    default: return false
    }
  }

  /// The next field, and its bytes with the tag.
  package mutating func nextField() -> (number: Int, range: Range<Int>)? {
    let start = position
    guard !isAtEnd, let (number, wireType) = tag(), skip(wireType) else { return nil }
    return (number, start..<position)
  }
}
