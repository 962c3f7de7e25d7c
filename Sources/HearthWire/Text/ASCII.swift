/// Classes of bytes. No byte of a longer UTF-8 sequence is in one of them.
extension UInt8 {
  @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
  @inlinable package var isASCIIUppercase: Bool { (0x41...0x5A).contains(self) }
  @inlinable package var isASCIILowercase: Bool { (0x61...0x7A).contains(self) }
  @inlinable package var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  @inlinable package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

  /// A character that stands for itself: no blank, no control character.
  @inlinable package var isASCIIVisible: Bool { (0x21...0x7E).contains(self) }
}
