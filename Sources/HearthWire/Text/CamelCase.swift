/// The lower camel case to which every key of a request is converted before it is looked at.
///
/// Android sends `return_secure_token`, others `returnSecureToken`; both mean the same field. Words
/// end at anything that is not a letter or digit, before a capital, between letters and digits, and
/// before the last capital of a run: `photoURL` is `photoUrl`.
package enum CamelCase {
  package static func convert(_ key: String) -> String {
    isPlain(key) ? key : joined(words(of: key))
  }

  /// Nearly all keys are in the right form already: lower case, single capitals, no digits.
  private static func isPlain(_ key: String) -> Bool {
    var previousIsUpper = true
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): previousIsUpper = false
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if previousIsUpper { return false }
        previousIsUpper = true
      default: return false
      }
    }
    return true
  }

  private enum Kind { case lower, upper, digit, other }

  private static func kind(_ character: Character) -> Kind {
    if character.isNumber { return .digit }
    if character.isUppercase { return .upper }
    if character.isLetter { return .lower }
    return .other
  }

  private static func words(of key: String) -> [String] {
    let characters = Array(key)
    var words: [String] = []
    var word = ""
    for (index, character) in characters.enumerated() {
      let this = kind(character)
      if this == .other {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      if let last = word.last {
        let before = kind(last)
        let nextIsLower = index + 1 < characters.count && kind(characters[index + 1]) == .lower
        let isBoundary =
          (this == .digit) != (before == .digit)
          || (this == .upper && before != .upper)
          || (this == .upper && before == .upper && nextIsLower)
        if isBoundary {
          words.append(word)
          word = ""
        }
      }
      word.append(character)
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private static func joined(_ words: [String]) -> String {
    words.enumerated().map { index, word in
      index == 0 ? word.lowercased() : word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }.joined()
  }
}
