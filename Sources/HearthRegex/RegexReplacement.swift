/// What `replace()` puts in: `$1` and `${name}` are groups, a backslash makes the next character
/// plain, as in RE2/J.
struct RegexReplacement {
  private enum Part {
    case text([Unicode.Scalar])
    case group(Int)
  }

  private var parts: [Part] = []

  init(_ text: String, groups: RegexGroups) throws(RegexError) {
    let scalars = Array(text.unicodeScalars)
    var plain: [Unicode.Scalar] = []
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      guard scalar == "\\" || scalar == "$", index < scalars.count else {
        plain.append(scalar)
        continue
      }
      if scalar == "\\" {
        plain.append(scalars[index])
        index += 1
      } else if let group = try Self.group(scalars, index: &index, groups: groups) {
        parts += [.text(plain), .group(group)]
        plain = []
      } else {
        plain.append(scalar)
      }
    }
    parts.append(.text(plain))
  }

  /// Nil where a dollar is plain. Of `$12` the 2 is plain without a twelfth group.
  private static func group(
    _ scalars: [Unicode.Scalar], index: inout Int, groups: RegexGroups
  ) throws(RegexError) -> Int? {
    if scalars[index] == "{" {
      let name = scalars[(index + 1)...].prefix { $0 != "}" }
      guard name.endIndex < scalars.count,
        let group = groups.names[String(String.UnicodeScalarView(name))]
      else { throw .unsupported("the replacement names a group that the pattern does not have") }
      index = name.endIndex + 1
      return group
    }
    guard var number = digit(scalars[index]) else { return nil }
    index += 1
    guard number <= groups.count else {
      throw .unsupported("the replacement names a group that the pattern does not have")
    }
    while index < scalars.count, let next = digit(scalars[index]),
      number * 10 + next <= groups.count
    {
      number = number * 10 + next
      index += 1
    }
    return number
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    ("0"..."9").contains(scalar) ? Int(scalar.value - 0x30) : nil
  }

  func append(
    to output: inout String.UnicodeScalarView, for match: RegexMatch, in text: [Unicode.Scalar],
    _ work: inout RegexWork
  ) throws(RegexError) {
    for part in parts {
      switch part {
      case .text(let plain):
        try work.spend(plain.count)
        output.append(contentsOf: plain)
      case .group(let number):
        guard let range = match.group(number) else { continue }
        try work.spend(range.count)
        output.append(contentsOf: text[range])
      }
    }
  }
}
