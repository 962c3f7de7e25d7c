extension RegexCompiler {
  /// What belongs to `[`, up to its `]`.
  mutating func bracketed() throws(RegexError) -> CharacterClass {
    var characters = CharacterClass(ignoresCase: flags.ignoresCase)
    characters.isNegated = skip("^")
    var isFirst = true
    while let scalar = rest.popFirst() {
      if scalar == "]", !isFirst { return characters }
      isFirst = false
      if scalar == "[", try addNamed(to: &characters) { continue }
      guard let low = try member(scalar, characters: &characters) else { continue }
      guard rest.first == "-", let next = rest.dropFirst().first, next != "]" else {
        characters.insert(low...low)
        continue
      }
      rest.removeFirst(2)
      guard let high = try member(next, characters: &characters), low <= high else {
        throw .unsupported("invalid range in a regular expression")
      }
      characters.insert(low...high)
    }
    throw .malformed
  }

  /// `[:alpha:]` in a class, of which the first bracket has been read.
  private mutating func addNamed(to characters: inout CharacterClass) throws(RegexError) -> Bool {
    guard rest.first == ":", let end = rest.firstIndex(of: "]"),
      end - 1 > rest.startIndex, rest[end - 1] == ":"
    else { return false }
    var name = String(
      String.UnicodeScalarView(rest[(rest.startIndex + 1)..<max(end - 1, rest.startIndex + 1)]))
    let isNegated = name.hasPrefix("^")
    if isNegated { name.removeFirst() }
    guard let ranges = CharacterClass.posix[name] else {
      throw .unsupported("'[:\(name):]' is not part of RE2's regular expressions")
    }
    characters.insert(ranges, isNegated: isNegated)
    rest = rest[(end + 1)...]
    return true
  }

  /// One character of a class; nil for those of an escape that stands for several.
  private mutating func member(
    _ scalar: Unicode.Scalar, characters: inout CharacterClass
  ) throws(RegexError) -> Unicode.Scalar? {
    guard scalar == "\\" else { return scalar }
    guard let letter = rest.popFirst() else { throw .malformed }
    if try add(escape: letter, to: &characters) { return nil }
    return try character(escapedBy: letter)
  }

  /// Adds what `\d`, `\pL` and their like stand for; false for other letters.
  mutating func add(
    escape letter: Unicode.Scalar, to characters: inout CharacterClass
  ) throws(RegexError) -> Bool {
    if let ranges = CharacterClass.ranges(ofEscape: letter) {
      characters.insert(ranges, isNegated: ["D", "W", "S"].contains(letter))
      return true
    }
    guard letter == "p" || letter == "P" else { return false }
    var name = try propertyName()
    let isNegated = name.hasPrefix("^")
    if isNegated { name.removeFirst() }
    guard let property = UnicodeProperty(named: name) else {
      throw .unsupported("'\\\(letter){\(name)}' is not part of RE2's regular expressions")
    }
    characters.insert(property, isNegated: isNegated != (letter == "P"))
    return true
  }

  private mutating func propertyName() throws(RegexError) -> String {
    guard let first = rest.popFirst() else { throw .malformed }
    guard first == "{" else { return String(first) }
    guard let end = rest.firstIndex(of: "}") else { throw .malformed }
    defer { rest = rest[(end + 1)...] }
    return String(String.UnicodeScalarView(rest[..<end]))
  }

  /// `\n`, `\x41`, `\.`: one character.
  mutating func character(escapedBy letter: Unicode.Scalar) throws(RegexError) -> Unicode.Scalar {
    switch letter {
    case "a": return "\u{07}"
    case "f": return "\u{0C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{0B}"
    case "x": return try hexadecimal()
    case "0":
      let digits = rest.prefix(2).prefix { ("0"..."7").contains($0) }
      rest.removeFirst(digits.count)
      return scalar(digits, radix: 8) ?? "\0"
    case "1"..."9":
      throw .unsupported("back references are not part of RE2's regular expressions")
    case "a"..."z", "A"..."Z":
      throw .unsupported("'\\\(letter)' is not part of RE2's regular expressions")
    default: return letter
    }
  }

  private mutating func hexadecimal() throws(RegexError) -> Unicode.Scalar {
    var digits = rest.prefix(2)
    if skip("{") {
      digits = rest.prefix { $0 != "}" }
      rest.removeFirst(digits.count)
      guard skip("}") else { throw .malformed }
    } else {
      guard digits.count == 2 else { throw .malformed }
      rest.removeFirst(2)
    }
    guard digits.allSatisfy(\.properties.isASCIIHexDigit), let scalar = scalar(digits, radix: 16)
    else { throw .malformed }
    return scalar
  }

  private func scalar(_ digits: ArraySlice<Unicode.Scalar>, radix: Int) -> Unicode.Scalar? {
    UInt32(String(String.UnicodeScalarView(digits)), radix: radix).flatMap(Unicode.Scalar.init)
  }
}
