/// Text of a named charset.
enum Charset {
  /// The name is as in the mail; nil if it names none.
  static func decode(_ bytes: [UInt8], name: String?, defects: inout MailDefects) -> String {
    let label = normalised(name ?? "us-ascii")
    let text: String
    switch label {
    case "utf-8":
      text = String(decoding: bytes, as: UTF8.self)
      if text.utf8.count != bytes.count { defects.add("The text is not valid UTF-8.") }
    case "us-ascii":
      text = bytes.lenientText
      if bytes.contains(where: { $0 > 127 }) {
        defects.add("The text has bytes above 127 and no charset.")
      }
    case "utf-16", "utf-16le", "utf-16be":
      text = utf16(bytes, isBigEndian: label != "utf-16le")
    default:
      if let table = SingleByteCharset.named[label] {
        text = table.decode(bytes)
      } else {
        text = converted(bytes, label: label, name: name ?? "", defects: &defects)
      }
    }
    return cleaned(text)
  }

  private static func converted(
    _ bytes: [UInt8], label: String, name: String, defects: inout MailDefects
  ) -> String {
    guard let converter = SystemCharset.names[label],
      let result = SystemCharset.decode(bytes, name: converter)
    else {
      if let text = String(validating: bytes, as: UTF8.self) {
        defects.add("The charset \(name.prefix(40)) is not known; the text was read as UTF-8.")
        return text
      }
      defects.add("The charset \(name.prefix(40)) is not known.")
      return String(
        String.UnicodeScalarView(
          bytes.lazy.map { $0 < 128 ? Unicode.Scalar($0) : Unicode.Scalar(0xFFFD as UInt16) ?? " " }
        ))
    }
    if result.hasErrors { defects.add("The text is not valid \(name.prefix(40)).") }
    return result.text
  }

  /// In lower case, with hyphens, and the usual name of those that have several.
  private static func normalised(_ name: String) -> String {
    let label = String(name.lowercased().filter { $0 != "\"" && $0 != "'" && $0 != " " })
      .replacing("_", with: "-")
    return aliases[label] ?? label
  }

  private static let aliases = [
    "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8", "ascii": "us-ascii",
    "ansi-x3.4-1968": "us-ascii",
    "iso646-us": "us-ascii", "us": "us-ascii", "unknown-8bit": "us-ascii", "": "us-ascii",
    "default": "us-ascii", "utf16": "utf-16", "unicode": "utf-16",
  ]

  private static func utf16(_ bytes: [UInt8], isBigEndian: Bool) -> String {
    var isBigEndian = isBigEndian
    var bytes = bytes[...]
    if bytes.starts(with: [0xFF, 0xFE]) {
      isBigEndian = false
      bytes = bytes.dropFirst(2)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      isBigEndian = true
      bytes = bytes.dropFirst(2)
    }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Without a mark of the byte order, and with U+FFFD for NUL.
  private static func cleaned(_ text: String) -> String {
    let hasMark = text.unicodeScalars.first == "\u{FEFF}"
    guard hasMark || text.utf8.contains(0) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.dropFirst(hasMark ? 1 : 0) {
      scalars.append(scalar.value == 0 ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }
}

/// Charsets of one byte for each character that need no library, as browsers read them: what is
/// labelled ISO-8859-1 is windows-1252.
struct SingleByteCharset: Sendable {
  /// The characters of the bytes that differ from ISO-8859-1.
  let differences: [UInt8: Unicode.Scalar]

  func decode(_ bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      scalars.append(byte < 0x80 ? Unicode.Scalar(byte) : differences[byte] ?? Unicode.Scalar(byte))
    }
    return String(scalars)
  }

  /// 0x81, 0x8D, 0x8F, 0x90 and 0x9D are not defined; browsers keep them as controls.
  static let windows1252 = SingleByteCharset(
    differences: [
      0x80: "\u{20AC}", 0x82: "\u{201A}", 0x83: "\u{192}", 0x84: "\u{201E}", 0x85: "\u{2026}",
      0x86: "\u{2020}", 0x87: "\u{2021}", 0x88: "\u{2C6}", 0x89: "\u{2030}", 0x8A: "\u{160}",
      0x8B: "\u{2039}", 0x8C: "\u{152}", 0x8E: "\u{17D}", 0x91: "\u{2018}", 0x92: "\u{2019}",
      0x93: "\u{201C}", 0x94: "\u{201D}", 0x95: "\u{2022}", 0x96: "\u{2013}", 0x97: "\u{2014}",
      0x98: "\u{2DC}", 0x99: "\u{2122}", 0x9A: "\u{161}", 0x9B: "\u{203A}", 0x9C: "\u{153}",
      0x9E: "\u{17E}", 0x9F: "\u{178}",
    ])

  static let latin9 = SingleByteCharset(
    differences: [
      0xA4: "\u{20AC}", 0xA6: "\u{160}", 0xA8: "\u{161}", 0xB4: "\u{17D}", 0xB8: "\u{17E}",
      0xBC: "\u{152}", 0xBD: "\u{153}", 0xBE: "\u{178}",
    ])

  static let named: [String: SingleByteCharset] = [
    "iso-8859-1": windows1252, "iso8859-1": windows1252, "latin1": windows1252,
    "windows-1252": windows1252, "cp1252": windows1252, "x-ansi": windows1252,
    "iso-8859-15": latin9, "iso8859-15": latin9, "latin9": latin9,
  ]
}
