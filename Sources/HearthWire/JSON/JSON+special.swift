extension JSON {
  /// The place of the first byte that a string cannot hold as it is: a quotation mark, a backslash or
  /// a control character. Where there is none, the number of bytes.
  ///
  /// Looks at eight bytes at once: long strings are most of a large text. A byte is below a bound where
  /// subtracting the bound sets its highest bit, which it did not have.
  static func firstSpecial(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let (ones, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let (blanks, quotes, backslashes) = (ones &* 0x20, ones &* 0x22, ones &* 0x5C)
    let raw = UnsafeRawBufferPointer(bytes)
    var offset = start
    while offset + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let (quote, backslash) = (word ^ quotes, word ^ backslashes)
      let special =
        (word &- blanks) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
      // A borrow can mark bytes after the first one that is special, never one before it.
      if special & highest != 0 { return offset + (special & highest).trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < raw.count {
      let byte = raw[offset]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return offset }
      offset += 1
    }
    return offset
  }
}
