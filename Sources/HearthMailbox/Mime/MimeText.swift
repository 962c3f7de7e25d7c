import HearthWire

/// Text in the forms that mail allows. No input can end a header line early.
enum MimeText {
  /// A header's free text: as it is when short and plain, else in encoded words (RFC 2047).
  static func unstructured(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    if isPlain, text.utf8.count <= 60, !text.contains("=?") { return text }
    return encodedWords(text)
  }

  /// Each word holds whole characters and leaves room for the header's name in a line of 76.
  private static func encodedWords(_ text: String) -> String {
    var words: [String] = []
    var chunk: [UInt8] = []
    func close() {
      if !chunk.isEmpty { words.append("=?UTF-8?B?\(Base64.encode(chunk))?=") }
      chunk = []
    }
    for scalar in text.unicodeScalars {
      let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      if chunk.count + bytes.count > 36 { close() }
      chunk.append(contentsOf: bytes)
    }
    close()
    return words.joined(separator: "\r\n ")
  }

  /// An address; a local part that is not a plain atom is quoted. Letters beyond ASCII stay as they
  /// are (RFC 6532).
  static func address(_ text: String) -> String {
    let printable = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    let parts = String(String.UnicodeScalarView(printable))
      .split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count > 1, let domain = parts.last else { return quoted(text) }
    let local = parts.dropLast().joined(separator: "@")
    let isWritten = !local.isEmpty && local.utf8.allSatisfy(isAtomByte) || isQuoted(local)
    return (isWritten ? local : quoted(local)) + "@" + domain.filterDomain
  }

  /// Whether it is a quoted string already.
  private static func isQuoted(_ local: String) -> Bool {
    let bytes = Array(local.utf8)
    let mark = UInt8(ascii: "\"")
    guard bytes.count > 2, bytes.first == mark, bytes.last == mark else { return false }
    var isEscaped = false
    for byte in bytes.dropFirst().dropLast() {
      if isEscaped {
        isEscaped = false
      } else if byte == mark {
        return false
      } else {
        isEscaped = byte == UInt8(ascii: "\\")
      }
    }
    return !isEscaped
  }

  /// `Name <address>`.
  static func mailbox(_ name: String, address: String) -> String {
    let isPlain = name.utf8.allSatisfy { isAtomByte($0) || $0 == UInt8(ascii: " ") }
    return "\(isPlain ? name : unstructured(name)) <\(self.address(address))>"
  }

  static func domain(of address: String) -> String {
    let domain = address.split(separator: "@").last?.filterDomain ?? ""
    return domain.isEmpty ? "hearth.invalid" : domain
  }

  private static func quoted(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars where scalar.properties.generalCategory != .control {
      if scalar == "\"" || scalar == "\\" { output += "\\" }
      output.unicodeScalars.append(scalar)
    }
    return output + "\""
  }

  private static func isAtomByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte.isASCIIAlphanumeric || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)
  }

  /// A body in lines of at most 76 characters with CRLF between them (RFC 2045).
  static func quotedPrintable(_ text: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count * 5 / 4)
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if index > 0 { output.append(contentsOf: "\r\n".utf8) }
      appendLine(line, to: &output)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendLine(_ line: Substring.UTF8View, to output: inout [UInt8]) {
    var column = 0
    for (offset, byte) in line.enumerated() {
      let isLast = offset == line.count - 1
      let isPlain =
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
        || byte == UInt8(ascii: " ") && !isLast
      // The 76th column is kept for the sign of a soft line break.
      if column + (isPlain ? 1 : 3) > 75 {
        output.append(contentsOf: "=\r\n".utf8)
        column = 0
      }
      if isPlain {
        output.append(byte)
        column += 1
      } else {
        output.append(UInt8(ascii: "="))
        output.append(Hex.digit(byte >> 4, uppercase: true))
        output.append(Hex.digit(byte & 0xF, uppercase: true))
        column += 3
      }
    }
  }
}

extension Substring {
  /// Only what can stand in a domain.
  fileprivate var filterDomain: String {
    String(
      decoding: utf8.filter {
        $0 >= 0x80 || $0.isASCIIAlphanumeric || "-._".utf8.contains($0)
      }, as: UTF8.self)
  }
}
