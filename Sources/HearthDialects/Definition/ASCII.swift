/// Classes of bytes that names, addresses and passwords are made of.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isLower(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLower(byte) || isUpper(byte)
  }

  /// A character that stands for itself: no blank, no control character.
  static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}
