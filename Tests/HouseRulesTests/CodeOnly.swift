/// Replaces comments and the contents of strings by spaces, and keeps every line where it is.
///
/// Code inside an interpolation stays. Regular expressions between slashes are not recognised.
func codeOnly(_ text: String) -> String {
  var scanner = CodeScanner(text: Array(text.utf8))
  return scanner.scan()
}

private struct CodeScanner {
  /// What the scanner is in. An interpolation is code in a string; it ends at its parenthesis.
  private enum State {
    case code(parentheses: Int)
    case lineComment
    case blockComment(depth: Int)
    case string(hashes: Int, isMultiline: Bool)
  }

  let text: [UInt8]
  private var position = 0
  private var states: [State] = [.code(parentheses: 0)]
  private var result: [UInt8] = []

  init(text: [UInt8]) { self.text = text }

  mutating func scan() -> String {
    result.reserveCapacity(text.count)
    while position < text.count {
      switch states.last ?? .code(parentheses: 0) {
      case .code(let parentheses): scanCode(parentheses)
      case .lineComment: scanLineComment()
      case .blockComment(let depth): scanBlockComment(depth)
      case .string(let hashes, let isMultiline): scanString(hashes, isMultiline: isMultiline)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func starts(with bytes: String, at offset: Int = 0) -> Bool {
    text[min(position + offset, text.count)...].starts(with: bytes.utf8)
  }

  private mutating func keep(_ count: Int) {
    for _ in 0..<min(count, text.count - position) {
      result.append(text[position])
      position += 1
    }
  }

  private mutating func blank(_ count: Int) {
    for _ in 0..<min(count, text.count - position) {
      result.append(text[position] == UInt8(ascii: "\n") ? text[position] : UInt8(ascii: " "))
      position += 1
    }
  }

  private mutating func scanCode(_ parentheses: Int) {
    switch text[position] {
    case UInt8(ascii: "/"):
      if starts(with: "//") { return states.append(.lineComment) }
      if starts(with: "/*") { return states.append(.blockComment(depth: 0)) }
    case UInt8(ascii: "#"), UInt8(ascii: "\""):
      var hashes = 0
      while starts(with: "#", at: hashes) { hashes += 1 }
      if starts(with: "\"", at: hashes) {
        let isMultiline = starts(with: "\"\"\"", at: hashes)
        keep(hashes + (isMultiline ? 3 : 1))
        return states.append(.string(hashes: hashes, isMultiline: isMultiline))
      }
    case UInt8(ascii: "("): states[states.count - 1] = .code(parentheses: parentheses + 1)
    case UInt8(ascii: ")") where parentheses == 1 && states.count > 1: states.removeLast()
    case UInt8(ascii: ")"): states[states.count - 1] = .code(parentheses: parentheses - 1)
    default: break
    }
    keep(1)
  }

  private mutating func scanLineComment() {
    if text[position] == UInt8(ascii: "\n") { states.removeLast() }
    blank(1)
  }

  private mutating func scanBlockComment(_ depth: Int) {
    guard [UInt8(ascii: "*"), UInt8(ascii: "/")].contains(text[position]) else { return blank(1) }
    if starts(with: "/*") {
      states[states.count - 1] = .blockComment(depth: depth + 1)
      blank(2)
    } else if starts(with: "*/") {
      if depth == 1 {
        states.removeLast()
      } else {
        states[states.count - 1] = .blockComment(depth: depth - 1)
      }
      blank(2)
    } else {
      blank(1)
    }
  }

  private mutating func scanString(_ hashes: Int, isMultiline: Bool) {
    // Most bytes end nothing, and there are millions.
    guard [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n")].contains(text[position])
    else { return blank(1) }
    let marks = String(repeating: "#", count: hashes)
    let end = (isMultiline ? "\"\"\"" : "\"") + marks
    if starts(with: end) {
      states.removeLast()
      keep(end.utf8.count)
    } else if starts(with: "\\" + marks + "(") {
      blank(1 + hashes)
      keep(1)
      states.append(.code(parentheses: 1))
    } else if starts(with: "\\" + marks) {
      blank(2 + hashes)
    } else if !isMultiline && text[position] == UInt8(ascii: "\n") {
      // Not a string after all, such as a quote in a regular expression.
      states.removeLast()
    } else {
      blank(1)
    }
  }
}
