/// Texts of several lines, after `|` and `>`.
extension YAMLReader {
  private struct Style {
    let isFolded: Bool
    /// How many spaces more than what is around it; nil where the first line tells.
    var indent: Int?
    /// What happens to the line ends at its end.
    var end: UInt8?
  }

  mutating func blockText(within indent: Int) throws(YAMLFault) -> String {
    let style = try style()
    let column = style.indent.map { max(indent, 0) + $0 } ?? firstColumn()
    var lines: [String] = []
    while !isDone, column > indent {
      let start = place
      while self.is(" "), self.column < column { advance() }
      let isEmpty = self.is("\n") || isAtEnd
      guard isEmpty || self.column == column else {
        advance(start - place)
        break
      }
      let text = place
      skipLine()
      lines.append(String(decoding: self.text(from: text), as: UTF8.self))
      guard !isAtEnd else { break }
      newLine()
    }
    return Self.join(lines, style: style)
  }

  private mutating func style() throws(YAMLFault) -> Style {
    var style = Style(isFolded: self.is(">"))
    advance()
    while isOne(of: "+-123456789") {
      if isOne(of: "+-"), style.end == nil {
        style.end = peek()
      } else if !isOne(of: "+-"), style.indent == nil {
        style.indent = Int(peek() - UInt8(ascii: "0"))
      } else {
        break
      }
      advance()
    }
    skipSpaces()
    if self.is("#"), isAfterBlank { skipLine() }
    guard isAtEnd || self.is("\n") else { throw fault("the text begins on the next line") }
    if !isAtEnd { newLine() }
    return style
  }

  /// The column of the first line that is not empty.
  private func firstColumn() -> Int {
    var ahead = self
    while true {
      while ahead.is(" ") { ahead.advance() }
      guard ahead.is("\n") else { return ahead.isAtEnd ? 0 : ahead.column }
      ahead.newLine()
    }
  }

  private static func join(_ lines: [String], style: Style) -> String {
    let count = (lines.lastIndex { !$0.isEmpty } ?? -1) + 1
    let content = lines.prefix(count)
    var text = style.isFolded ? folded(content) : content.joined(separator: "\n")
    switch style.end {
    case UInt8(ascii: "-")?: break
    case UInt8(ascii: "+")?:
      text += String(repeating: "\n", count: lines.count - count + (count > 0 ? 1 : 0))
    default: text += content.isEmpty ? "" : "\n"
    }
    return text
  }

  /// Lines that are indented by more than the others stay lines.
  private static func folded(_ lines: ArraySlice<String>) -> String {
    var text = ""
    var breaks = 0
    var isLast: Bool?
    for line in lines {
      guard !line.isEmpty else {
        breaks += 1
        continue
      }
      let isIndented = line.hasPrefix(" ") || line.hasPrefix("\t")
      if let isLast {
        let isFolded = !isLast && !isIndented
        text += isFolded && breaks == 0 ? " " : ""
        text += String(repeating: "\n", count: isFolded ? breaks : breaks + 1)
      } else {
        text += String(repeating: "\n", count: breaks)
      }
      text += line
      breaks = 0
      isLast = isIndented
    }
    return text
  }
}
