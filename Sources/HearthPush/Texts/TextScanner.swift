/// Reads quoted texts and escapes.
struct TextScanner {
  private let characters: [Character]
  private(set) var position = 0

  init(_ text: String) { characters = Array(text) }

  /// The number of the line that a position is in. For messages: it counts from the beginning.
  func line(at position: Int) -> Int { 1 + characters[..<position].count(where: \.isNewline) }

  private var next: Character? { position < characters.count ? characters[position] : nil }

  private mutating func takeNext() -> Character? {
    defer { if position < characters.count { position += 1 } }
    return next
  }

  private func has(_ text: String) -> Bool {
    characters[position...].starts(with: text)
  }

  /// Whether anything comes after blanks and comments.
  mutating func skipComments() -> Bool {
    while let character = next {
      if character.isWhitespace || character == "\u{FEFF}" {
        position += 1
      } else if has("//") {
        while let character = next, !character.isNewline { position += 1 }
      } else if has("/*") {
        position += 2
        while next != nil, !has("*/") { position += 1 }
        position = min(position + 2, characters.count)
      } else {
        return true
      }
    }
    return false
  }

  mutating func take(_ sign: Character) -> Bool {
    guard skipComments(), next == sign else { return false }
    position += 1
    return true
  }

  /// A text in quotes, or a word of letters, digits and a few signs.
  mutating func word() -> String? {
    guard skipComments(), let first = next else { return nil }
    guard first == "\"" else {
      var word = ""
      while let character = next,
        character.isLetter || character.isNumber || "_-.".contains(character)
      {
        word.append(character)
        position += 1
      }
      return word.isEmpty ? nil : word
    }
    position += 1
    var text = ""
    while let character = takeNext() {
      switch character {
      case "\"": return text
      case "\\": text += escape()
      default: text.append(character)
      }
    }
    return nil
  }

  /// What a backslash means.
  private mutating func escape() -> String {
    switch takeNext() {
    case "n"?: return "\n"
    case "t"?: return "\t"
    case "r"?: return "\r"
    case "u"?, "U"?:
      let digits = String(characters[position...].prefix(4))
      guard digits.count == 4, let code = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(code)
      else { return "\u{FFFD}" }
      position += 4
      return String(Character(scalar))
    case let character?: return String(character)
    case nil: return ""
    }
  }

  /// The text of a string of Android.
  mutating func androidText() -> String {
    var text = ""
    var isQuoted = false
    var blanks = false
    while let character = takeNext() {
      if character == "\"" {
        isQuoted.toggle()
        continue
      }
      if !isQuoted, character.isWhitespace {
        blanks = true
        continue
      }
      if blanks, !text.isEmpty { text += " " }
      blanks = false
      if character == "\\" { text += escape() } else { text.append(character) }
    }
    return text
  }
}
