/// A function or initialiser, from the line of its name to its closing brace.
struct Function: Sendable {
  let name: String
  let firstLine: Int
  let lineCount: Int
}

extension SourceFile {
  /// The functions with a body, also those inside other functions.
  var functions: [Function] {
    code.indices.compactMap { line in
      guard let name = Self.declaredFunction(code[line]), let end = endOfBody(line) else {
        return nil
      }
      return Function(name: name, firstLine: line + 1, lineCount: end - line + 1)
    }
  }

  private static let modifiers: Set<Substring> = [
    "borrowing", "class", "consuming", "convenience", "distributed", "fileprivate", "final",
    "infix", "internal", "isolated", "mutating", "nonisolated", "override", "package", "postfix",
    "prefix", "private", "public", "required", "static",
  ]

  /// The name of the function that a line declares.
  private static func declaredFunction(_ line: String) -> String? {
    let words = line.split(separator: " ")
    guard let word = words.first(where: { !modifiers.contains($0) && !$0.hasPrefix("@") }) else {
      return nil
    }
    if word == "func" {
      return line.split(separator: "func ", maxSplits: 1).last
        .map { String($0.prefix { $0 != "(" && $0 != "<" }) }
    }
    let isInitialiser = ["init(", "init<", "init?("].contains { word.hasPrefix($0) }
    return isInitialiser ? "init" : nil
  }

  /// The line of the brace that closes the body of the function that begins on that line.
  private func endOfBody(_ line: Int) -> Int? {
    var parentheses = 0
    var braces = 0
    for index in line..<code.count {
      if index > line, parentheses == 0, braces == 0, !Self.continues(code[index]) { return nil }
      for byte in code[index].utf8 {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
        case UInt8(ascii: "{") where braces > 0 || parentheses == 0: braces += 1
        case UInt8(ascii: "}") where braces > 0:
          braces -= 1
          if braces == 0 { return index }
        default: break
        }
      }
    }
    return nil
  }

  /// Whether a line can be the rest of a signature.
  private static func continues(_ line: String) -> Bool {
    let rest = line.drop { $0 == " " }
    return ["->", "async", "throws", "rethrows", "where", "{"].contains { rest.hasPrefix($0) }
  }
}
