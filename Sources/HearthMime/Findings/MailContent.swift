import HearthWire

/// The text of a mail, line by line, in a form in which codes and words can be compared.
struct MailContent {
  struct Line {
    /// Folded: see ``FoldedText``.
    var scalars: [Unicode.Scalar]
    /// The pieces of the line that stand alone in their elements.
    var pieces: Set<String>
    /// The sentences of the line, as ranges of ``scalars``.
    var sentences: [Range<Int>]
  }

  static let longestSubject = 1_000
  static let longestText = 128 * 1024
  static let mostLines = 5_000
  static let longestSentence = 400

  /// The subject is the first.
  let lines: [Line]
  /// In the order of the mail, with URLs as they are written.
  let rawLines: [String]

  /// The HTML if there is any: text parts that were made of it may contain its style sheet.
  init(subject: String, text: String?, page: VisibleHTML?) {
    let subject = String(decoding: subject.utf8.prefix(Self.longestSubject), as: UTF8.self)
    var lines = [Self.line(subject, pieces: [])]
    var rawLines = [subject]
    if let page, !page.lines.isEmpty {
      for line in page.lines {
        lines.append(Self.line(line.text, pieces: line.pieces))
        rawLines.append(line.text)
      }
    } else {
      let text = String(decoding: (text ?? "").utf8.prefix(Self.longestText), as: UTF8.self)
      for line in text.split(whereSeparator: \.isNewline).prefix(Self.mostLines) {
        let line = String(line).trimmedText
        guard !line.isEmpty, !line.hasPrefix(">") else { continue }
        lines.append(Self.line(line, pieces: []))
        rawLines.append(line)
      }
    }
    self.lines = lines
    self.rawLines = rawLines
  }

  private static func line(_ text: String, pieces: [String]) -> Line {
    let scalars = FoldedText.fold(text)
    let pieces = pieces.map { String(String.UnicodeScalarView(FoldedText.fold($0))).trimmedText }
    return Line(scalars: scalars, pieces: Set(pieces), sentences: sentences(scalars))
  }

  private static func sentences(_ scalars: [Unicode.Scalar]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for index in scalars.indices {
      let isLong = index - start >= longestSentence && scalars[index] == " "
      guard isLong || index - start >= 2 * longestSentence || ends(scalars, index: index) else {
        continue
      }
      ranges.append(start..<(index + 1))
      start = index + 1
    }
    if start < scalars.count { ranges.append(start..<scalars.count) }
    return ranges
  }

  private static func ends(_ scalars: [Unicode.Scalar], index: Int) -> Bool {
    switch scalars[index] {
    case "\u{3002}", "\u{FF61}", "\u{964}", "|", "\u{B7}": true
    case ".", "!", "?", ";":
      index + 1 == scalars.count || scalars[index + 1] == " "
    default: false
    }
  }
}

/// Text with one spelling for each character: digits of all scripts as ASCII, wide letters as narrow
/// ones, no invisible characters, and lower case where asked for.
enum FoldedText {
  static func fold(_ text: String) -> [Unicode.Scalar] {
    var output: [Unicode.Scalar] = []
    output.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      guard let folded = fold(scalar) else { continue }
      // Wide marks have a blank in them: `614205，5分钟` is not a decimal number.
      let isWideMark =
        (0xFF01...0xFF0F).contains(scalar.value) || (0xFF1A...0xFF20).contains(scalar.value)
      if isWideMark, folded == "(" { output.append(" ") }
      output.append(folded)
      if isWideMark, folded != "-" { output.append(" ") }
    }
    return output
  }

  /// Nil for characters that nobody sees.
  private static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let value = scalar.value
    if value < 0x80 { return value < 0x20 ? " " : scalar }
    switch value {
    case 0xAD, 0x34F, 0x61C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFE00...0xFE0F:
      return nil
    case 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: return " "
    case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63: return "-"
    case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFEE0)
    case 0x1D400...0x1D6A3:
      // Letters that are used for their looks, in rows of 52.
      let place = (value - 0x1D400) % 52
      return Unicode.Scalar(place < 26 ? 0x41 + place : 0x61 + place - 26)
    default: break
    }
    if scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue {
      return Unicode.Scalar(0x30 + UInt32(digit))
    }
    return scalar
  }

  /// Lower case, one scalar for each.
  static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
      return (0x41...0x5A).contains(scalar.value)
        ? Unicode.Scalar(UInt8(scalar.value | 0x20)) : scalar
    }
    let mapping = scalar.properties.lowercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping.first ?? scalar : scalar == "\u{130}" ? "i" : scalar
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { (0x30...0x39).contains(value) }
  var isCapital: Bool { (0x41...0x5A).contains(value) }
  var isASCIIAlphanumeric: Bool { isASCII && UInt8(value).isASCIIAlphanumeric }

  /// Letters of a script whose words have blanks between them.
  var isWordLetter: Bool {
    if isASCII { return UInt8(value).isASCIILetter }
    return properties.isAlphabetic && !isUnspaced || properties.generalCategory == .nonspacingMark
  }

  /// Of a script that writes words without blanks: Chinese, Japanese, Korean endings, Thai.
  var isUnspaced: Bool {
    switch value {
    case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x9FFF,
      0xAC00...0xD7AF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
