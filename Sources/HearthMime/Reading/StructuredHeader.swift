import HearthWire

/// A header with parameters: `Content-Type: text/plain; charset=utf-8`. Continued and coded parameters
/// are of RFC 2231.
struct StructuredHeader {
  /// What is before the first semicolon, in lower case.
  var value: String
  private(set) var parameters: [String: String] = [:]

  private static let mostParameters = 100

  init(value: String) { self.value = value }

  init(_ bytes: [UInt8], defects: inout MailDefects) {
    let semicolon = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
    value = bytes[..<semicolon].trimmed.lenientText.lowercased()
    guard semicolon < bytes.endIndex else { return }
    var scanner = ParameterScanner(bytes: bytes, position: semicolon + 1)
    var pieces: [String: [Piece]] = [:]
    var count = 0
    while count < Self.mostParameters, let (name, text) = scanner.next() {
      count += 1
      let parts = name.split(separator: "*", omittingEmptySubsequences: false)
      let number = parts.count > 1 ? Int(parts[1]) : nil
      let isCoded = name.hasSuffix("*") || (parts.count == 2 && number == nil)
      if parts.count == 1 {
        if parameters[name] == nil {
          parameters[name] = EncodedWords.decode(text, defects: &defects)
        }
      } else {
        pieces[String(parts[0]), default: []].append(
          Piece(number: number ?? 0, isCoded: isCoded, text: text))
      }
    }
    for (name, pieces) in pieces { parameters[name] = Self.joined(pieces, defects: &defects) }
  }

  private struct Piece {
    var number: Int
    var isCoded: Bool
    var text: [UInt8]
  }

  /// The charset is in the first piece: `utf-8'de'%C3%9C`.
  private static func joined(_ pieces: [Piece], defects: inout MailDefects) -> String {
    var charset: String?
    var bytes: [UInt8] = []
    for (index, piece) in pieces.sorted(by: { $0.number < $1.number }).enumerated() {
      var text = piece.text[...]
      if index == 0, piece.isCoded {
        let marks = text.indices.filter { text[$0] == UInt8(ascii: "'") }
        if marks.count >= 2 {
          charset = String(decoding: text[..<marks[0]], as: UTF8.self)
          text = text[(marks[1] + 1)...]
        }
      }
      bytes.append(contentsOf: piece.isCoded ? percentDecoded(text) : Array(text))
    }
    if let charset, !charset.isEmpty {
      return Charset.decode(bytes, name: charset, defects: &defects)
    }
    return bytes.lenientText
  }

  private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "%"), index + 2 < text.endIndex,
        let value = Hex.byte(text[index + 1], low: text[index + 2])
      {
        output.append(value)
        index += 3
      } else {
        output.append(text[index])
        index += 1
      }
    }
    return output
  }
}

/// Reads `name=value; name="value"`, also where quotation marks or semicolons are missing.
private struct ParameterScanner {
  let bytes: [UInt8]
  var position: Int

  /// The name is in lower case.
  mutating func next() -> (String, [UInt8])? {
    while position < bytes.count {
      skip { $0.isWhitespace || $0 == UInt8(ascii: ";") }
      let start = position
      skip { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
      let name = String(decoding: bytes[start..<position].trimmed, as: UTF8.self).lowercased()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
      position += 1
      skip { $0.isWhitespace }
      let value = value()
      if !name.isEmpty { return (name, value) }
    }
    return nil
  }

  private mutating func skip(_ condition: (UInt8) -> Bool) {
    while position < bytes.count, condition(bytes[position]) { position += 1 }
  }

  private mutating func value() -> [UInt8] {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      let start = position
      skip { $0 != UInt8(ascii: ";") }
      return Array(bytes[start..<position].trimmed)
    }
    position += 1
    var value: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      // Windows paths are written without doubling the backslash: only these two are escapes.
      if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: "\"") || bytes[position + 1] == UInt8(ascii: "\\")
      {
        position += 1
      }
      value.append(bytes[position])
      position += 1
    }
    position += 1
    skip { $0 != UInt8(ascii: ";") }
    return value
  }
}
