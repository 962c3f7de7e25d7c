import HearthWire

/// Writes the lines of a mail: each ends with CRLF, and no header is longer than mail programs take.
struct MimeOutput {
  indirect enum Part {
    case text(String, String)
    case file(MimeAttachment, isInline: Bool)
    case multipart(String, boundary: String, [Part])
  }

  private(set) var bytes: [UInt8] = []

  mutating func line(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(contentsOf: "\r\n".utf8)
  }

  // MARK: Headers

  private static let longestLine = 76

  /// A header of free text. Its name and value cannot begin another header.
  mutating func header(_ name: String, value: String) {
    let name = String(
      decoding: name.utf8.filter { (33...126).contains($0) && $0 != 0x3A }, as: UTF8.self)
    guard !name.isEmpty else { return }
    fold(name + ":", words: EncodedWord.words(Self.oneLine(value)))
  }

  private static func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }

  mutating func addresses(_ name: String, addresses: [MimeAddress]) {
    guard !addresses.isEmpty else { return }
    var words: [String] = []
    for (index, address) in addresses.enumerated() {
      let comma = index < addresses.count - 1 ? "," : ""
      let place = address.address.filter { !$0.isWhitespace && $0 != "<" && $0 != ">" }
      if let name = address.name, !name.isEmpty {
        words += EncodedWord.phrase(Self.oneLine(name))
        words.append("<\(place)>\(comma)")
      } else {
        words.append(place + comma)
      }
    }
    fold(name + ":", words: words)
  }

  /// Breaks the line before a word that would make it too long.
  private mutating func fold(_ name: String, words: [String]) {
    var length = name.utf8.count
    bytes.append(contentsOf: name.utf8)
    for (index, word) in words.enumerated() {
      if length + 1 + word.utf8.count > Self.longestLine, index > 0 {
        bytes.append(contentsOf: "\r\n".utf8)
        length = 0
      }
      bytes.append(ASCII.space)
      bytes.append(contentsOf: word.utf8)
      length += 1 + word.utf8.count
    }
    bytes.append(contentsOf: "\r\n".utf8)
  }

  // MARK: Bodies

  mutating func base64(_ content: [UInt8]) {
    let text = Array(Base64.encode(content).utf8)
    for start in stride(from: 0, to: text.count, by: Self.longestLine) {
      bytes.append(contentsOf: text[start..<min(start + Self.longestLine, text.count)])
      bytes.append(contentsOf: "\r\n".utf8)
    }
  }

  /// Lines end with CRLF. A blank at the end of a line is written as an escape.
  mutating func quotedPrintable(_ text: String) {
    let content = Array(text.utf8)
    var length = 0
    var index = 0
    while index < content.count {
      let byte = content[index]
      let next = index + 1 < content.count ? content[index + 1] : ASCII.lineFeed
      if byte == ASCII.lineFeed || (byte == ASCII.carriageReturn && next == ASCII.lineFeed) {
        bytes.append(contentsOf: "\r\n".utf8)
        length = 0
        index += byte == ASCII.lineFeed ? 1 : 2
        continue
      }
      let endsLine = next == ASCII.lineFeed || next == ASCII.carriageReturn
      let isPlain = (byte.isBlank && !endsLine) || ((33...126).contains(byte) && byte != 0x3D)
      let width = isPlain ? 1 : 3
      if length + width > Self.longestLine - 1 {
        bytes.append(contentsOf: "=\r\n".utf8)
        length = 0
      }
      if isPlain {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "="))
        bytes.append(Hex.digit(byte >> 4, uppercase: true))
        bytes.append(Hex.digit(byte & 0xF, uppercase: true))
      }
      length += width
      index += 1
    }
    if length > 0 { bytes.append(contentsOf: "\r\n".utf8) }
  }
}

extension MimeOutput.Part {
  /// The headers of the part, an empty line, and its body.
  func write(_ output: inout MimeOutput) {
    switch self {
    case .text(let subtype, let text): write(text, subtype: subtype, output: &output)
    case .file(let file, let isInline): write(file, isInline: isInline, output: &output)
    case .multipart(let subtype, let boundary, let parts):
      output.line("Content-Type: multipart/\(subtype); boundary=\"\(boundary)\"")
      output.line("")
      for part in parts {
        output.line("--\(boundary)")
        part.write(&output)
      }
      output.line("--\(boundary)--")
    }
  }

  private func write(_ text: String, subtype: String, output: inout MimeOutput) {
    output.line("Content-Type: text/\(subtype); charset=utf-8")
    output.line("Content-Transfer-Encoding: quoted-printable")
    output.line("")
    output.quotedPrintable(text)
  }

  private func write(_ file: MimeAttachment, isInline: Bool, output: inout MimeOutput) {
    let isType =
      file.contentType.utf8.allSatisfy { (33...126).contains($0) && $0 != 0x3B && $0 != 0x22 }
      && file.contentType.contains("/")
    // A mail within the mail must not be coded: RFC 2046, 5.2.1. As bytes it can be.
    let isMail = file.contentType == "message/rfc822"
    let type = isType && !isMail ? file.contentType : "application/octet-stream"
    output.line("Content-Type: \(type)")
    output.line("Content-Transfer-Encoding: base64")
    let disposition = isInline ? "inline" : "attachment"
    output.line(
      "Content-Disposition: \(disposition)\(EncodedWord.parameter("filename", value: file.fileName))"
    )
    if let id = file.contentId {
      output.line(
        "Content-ID: <\(id.filter { (33...126).contains($0.asciiValue ?? 0) && !"<>".contains($0) })>"
      )
    }
    output.line("")
    output.base64(file.content)
  }
}
