import HearthWire

/// Text of headers with encoded words. https://www.rfc-editor.org/rfc/rfc2047
///
/// Words are decoded wherever they are: inside quotation marks, and beside other characters.
struct EncodedWords {
  static func decode(_ bytes: [UInt8], defects: inout MailDefects) -> String {
    guard bytes.contains(UInt8(ascii: "=")) else { return cleaned(bytes.lenientText) }
    var words = EncodedWords(bytes: bytes)
    return cleaned(words.text(&defects))
  }

  private let bytes: [UInt8]
  private var output = ""
  /// Where the text begins that is not part of the output yet.
  private var plainStart = 0
  /// Adjacent words of one charset: a character may be split over two of them.
  private var pending: (charset: String, bytes: [UInt8])?
  /// The last `?=`: without one after it, nothing can be an encoded word.
  private let lastEnd: Int

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    lastEnd =
      bytes.indices.dropLast().last {
        bytes[$0] == UInt8(ascii: "?") && bytes[$0 + 1] == UInt8(ascii: "=")
      } ?? -1
  }

  private mutating func text(_ defects: inout MailDefects) -> String {
    var index = 0
    while index < lastEnd {
      guard bytes[index] == UInt8(ascii: "="), let word = word(at: index) else {
        index += 1
        continue
      }
      let between = bytes[plainStart..<index]
      if pending == nil || !between.allSatisfy(\.isWhitespace) {
        flush(&defects)
        output += between.lenientText
      }
      if let open = pending, open.charset == word.charset {
        pending?.bytes.append(contentsOf: word.bytes)
      } else {
        flush(&defects)
        pending = (word.charset, word.bytes)
      }
      index = word.end
      plainStart = index
    }
    flush(&defects)
    return output + bytes[plainStart...].lenientText
  }

  private mutating func flush(_ defects: inout MailDefects) {
    guard let word = pending else { return }
    output += Charset.decode(word.bytes, name: word.charset, defects: &defects)
    pending = nil
  }

  private struct Word {
    var charset: String
    var bytes: [UInt8]
    var end: Int
  }

  /// `=?charset?B?text?=` or `=?charset*language?Q?text?=`.
  private func word(at start: Int) -> Word? {
    let mark = UInt8(ascii: "?")
    guard start + 6 < bytes.count, bytes[start + 1] == mark else { return nil }
    let name = bytes[(start + 2)...].prefix(64)
    guard let nameEnd = name.firstIndex(of: mark), nameEnd + 2 < bytes.count,
      bytes[nameEnd + 2] == mark, !name[..<nameEnd].contains(where: \.isWhitespace)
    else { return nil }
    let isBase64: Bool
    switch bytes[nameEnd + 1] | 0x20 {
    case UInt8(ascii: "b"): isBase64 = true
    case UInt8(ascii: "q"): isBase64 = false
    default: return nil
    }
    var end = nameEnd + 3
    while end <= lastEnd, bytes[end] != mark || bytes[end + 1] != UInt8(ascii: "=") { end += 1 }
    guard end <= lastEnd else { return nil }
    let text = bytes[(nameEnd + 3)..<end]
    let charset = name[..<nameEnd].prefix { $0 != UInt8(ascii: "*") }
    return Word(
      charset: String(decoding: charset, as: UTF8.self).lowercased(),
      bytes: isBase64 ? TransferEncoding.base64.decode(text) : Self.quoted(text), end: end + 2)
  }

  /// As quoted-printable, but an underscore is a blank.
  private static func quoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if byte == UInt8(ascii: "="), index + 2 < text.endIndex,
        let value = Hex.byte(text[index + 1], low: text[index + 2])
      {
        output.append(value)
        index += 3
      } else {
        output.append(byte == UInt8(ascii: "_") ? ASCII.space : byte)
        index += 1
      }
    }
    return output
  }

  /// Line ends and other controls have no place in the value of a header.
  private static func cleaned(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || scalar.value == 0x7F
      scalars.append(isControl ? scalar == "\0" ? "\u{FFFD}" : " " : scalar)
    }
    return String(scalars)
  }
}
