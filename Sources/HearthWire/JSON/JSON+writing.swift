extension JSON {
  /// Compact JSON text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Compact JSON as UTF-8.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(512)
    write(to: &output)
    return output
  }

  /// JSON indented by two spaces, as error answers are shown.
  package var prettyBytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(512)
    writePretty(to: &output, indentation: 0)
    return output
  }

  package func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): output.append(contentsOf: String(value).utf8)
    case .double(let value): output.append(contentsOf: JavaScriptNumber.text(value).utf8)
    case .string(let value): Self.write(value, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private func writePretty(to output: inout [UInt8], indentation: Int) {
    func newLine(_ depth: Int) {
      output.append(UInt8(ascii: "\n"))
      output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
    switch self {
    case .array(let elements) where !elements.isEmpty:
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        newLine(indentation + 1)
        element.writePretty(to: &output, indentation: indentation + 1)
      }
      newLine(indentation)
      output.append(UInt8(ascii: "]"))
    case .object(let object) where !object.isEmpty:
      output.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        newLine(indentation + 1)
        Self.write(member.key, to: &output)
        output.append(contentsOf: ": ".utf8)
        member.value.writePretty(to: &output, indentation: indentation + 1)
      }
      newLine(indentation)
      output.append(UInt8(ascii: "}"))
    case .null, .bool, .int, .double, .string, .array, .object: write(to: &output)
    }
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, to: &output) }
  }

  /// Appends UTF-8 as a string.
  package static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    defer { output.append(UInt8(ascii: "\"")) }
    guard firstSpecial(in: bytes, from: 0) < bytes.count else {
      output.append(contentsOf: bytes)
      return
    }
    var clean = 0
    for (index, byte) in bytes.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      output.append(contentsOf: bytes[clean..<index])
      clean = index + 1
      switch byte {
      case UInt8(ascii: "\""): output.append(contentsOf: #"\""#.utf8)
      case UInt8(ascii: "\\"): output.append(contentsOf: #"\\"#.utf8)
      case 0x08: output.append(contentsOf: #"\b"#.utf8)
      case 0x09: output.append(contentsOf: #"\t"#.utf8)
      case 0x0A: output.append(contentsOf: #"\n"#.utf8)
      case 0x0C: output.append(contentsOf: #"\f"#.utf8)
      case 0x0D: output.append(contentsOf: #"\r"#.utf8)
      default:
        output.append(contentsOf: #"\u00"#.utf8)
        output.append(Hex.digit(byte >> 4))
        output.append(Hex.digit(byte & 0xF))
      }
    }
    output.append(contentsOf: bytes[clean...])
  }
}
