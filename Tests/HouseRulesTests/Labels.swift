/// The parameters of a function, an initialiser or a subscript.
struct Parameters: Sendable {
  /// Those that a call passes without a label.
  let unlabelled: Int
}

extension SourceFile {
  /// The declarations with parameters, also those without a body.
  var parameters: [Parameters] {
    let lines = code.joined(separator: "\n")
    let unlabelled = /^\s*_ +`?\w+`? *:/
    return lines.matches(of: Self.declaration).compactMap { match in
      let list = lines[match.range.upperBound...]
      var depth = 1
      var parts = [""]
      for character in list {
        switch character {
        case "(", "[", "{": depth += 1
        case ")", "]", "}": depth -= 1
        case "," where depth == 1:
          parts.append("")
          continue
        default: break
        }
        if depth == 0 { break }
        parts[parts.count - 1].append(character)
      }
      guard parts.contains(where: { $0.contains(":") }) else { return nil }
      return Parameters(unlabelled: parts.count { $0.contains(unlabelled) })
    }
  }

  private static var declaration: Regex<Substring> {
    /(?m)^ *(?:@\w+ +)*(?:[a-z]+(?:\([a-z]+\))? +)*(?:func +(?:`[^`]+`|\w+)|init[?]?|subscript) *(?:<[^(]*>)?\(/
  }
}
