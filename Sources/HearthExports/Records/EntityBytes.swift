/// The bytes of a message of protobuf, field by field. Made in one pass: a message of generated types
/// is walked along twice, and to build it takes longer than both.
struct EntityBytes {
  private enum Wire: UInt8 {
    case varint, fixed64, bytes, begin, end
  }

  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(512) }

  mutating func integer(_ field: UInt8, value: Int64) {
    tag(field, wire: .varint)
    varint(UInt64(bitPattern: value))
  }

  mutating func flag(_ field: UInt8, value: Bool) { integer(field, value: value ? 1 : 0) }

  mutating func double(_ field: UInt8, value: Double) {
    tag(field, wire: .fixed64)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
  }

  mutating func text(_ field: UInt8, text: String) {
    tag(field, wire: .bytes)
    varint(UInt64(text.utf8.count))
    bytes += text.utf8
  }

  mutating func data(_ field: UInt8, data: some Collection<UInt8>) {
    tag(field, wire: .bytes)
    varint(UInt64(data.count))
    bytes += data
  }

  mutating func group(_ field: UInt8, body: (inout EntityBytes) throws -> Void) rethrows {
    tag(field, wire: .begin)
    try body(&self)
    tag(field, wire: .end)
  }

  /// Most messages have fewer than 128 bytes, so that one byte is kept for the length.
  mutating func message(_ field: UInt8, body: (inout EntityBytes) throws -> Void) rethrows {
    tag(field, wire: .bytes)
    let place = bytes.count
    bytes.append(0)
    try body(&self)
    var length = UInt64(bytes.count - place - 1)
    guard length >= 0x80 else {
      bytes[place] = UInt8(length)
      return
    }
    var prefix: [UInt8] = []
    while length >= 0x80 {
      prefix.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    prefix.append(UInt8(length))
    bytes.replaceSubrange(place...place, with: prefix)
  }

  private mutating func tag(_ field: UInt8, wire: Wire) {
    varint(UInt64(field) << 3 | UInt64(wire.rawValue))
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
