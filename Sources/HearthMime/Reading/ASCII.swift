/// Bytes that the syntax of mails and HTML gives a meaning to.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
}

extension UInt8 {
  /// A blank or a tab.
  var isBlank: Bool { self == ASCII.space || self == ASCII.tab }

  var isWhitespace: Bool {
    isBlank || self == ASCII.lineFeed || self == ASCII.carriageReturn || self == 0x0C
  }

  var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Without blanks, tabs and line ends on either side.
  var trimmed: SubSequence {
    var range = startIndex..<endIndex
    while let first = range.first, self[first].isWhitespace { range.removeFirst() }
    while let last = range.last, self[last].isWhitespace { range.removeLast() }
    return self[range]
  }

  /// Whether the bytes at an index are those, without regard to case. `text` is in lower case.
  func hasBytes(_ text: StaticString, at index: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index >= startIndex, index + count <= endIndex else { return false }
    return text.withUTF8Buffer { expected in
      (0..<count).allSatisfy { self[index + $0].lowercasedASCII == expected[$0] }
    }
  }

  /// As UTF-8, and as windows-1252 where it is not UTF-8: what mail programs do with bytes above 127
  /// that no charset is named for.
  var lenientText: String {
    let bytes = Array(self)
    return String(validating: bytes, as: UTF8.self) ?? SingleByteCharset.windows1252.decode(bytes)
  }
}

extension String {
  /// Without blanks, tabs and line ends on either side.
  var trimmedText: String {
    guard let first = utf8.first, let last = utf8.last, first.isWhitespace || last.isWhitespace
    else { return self }
    return String(decoding: Array(utf8).trimmed, as: UTF8.self)
  }
}
