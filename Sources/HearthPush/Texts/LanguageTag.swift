import HearthErrors
import HearthWire

/// The language of a device or of texts, such as `de` or `pt-BR`. `de_AT` of Apple, and `de-rAT` and
/// `b+sr+Latn` of Android's folders, are read too.
package struct LanguageTag: Sendable, Hashable {
  private static let longest = 35

  /// In the usual case: `zh-Hant-TW`.
  package let text: String

  package init?(_ given: String) {
    var parts = given.split(omittingEmptySubsequences: false) { "-_+".contains($0) }
    if given.hasPrefix("b+") { parts.removeFirst() }
    let isTag =
      given.utf8.count <= Self.longest
      && parts.allSatisfy {
        (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIAlphanumeric)
      }
    guard isTag, let language = parts.first, (2...3).contains(language.count),
      language.utf8.allSatisfy({ !$0.isASCIIDigit })
    else { return nil }
    let rest = parts.dropFirst().map { part in
      // A region as folders of Android name it.
      let part = part.count == 3 && part.first == "r" ? part.dropFirst() : part
      return switch part.count {
      case 2: part.uppercased()
      case 4: part.prefix(1).uppercased() + part.dropFirst().lowercased()
      default: part.lowercased()
      }
    }
    text = ([language.lowercased()] + rest).joined(separator: "-")
  }

  static func read(_ given: String) throws(APIError) -> LanguageTag {
    guard let tag = LanguageTag(given) else {
      throw APIError(
        .invalidArgument, detail: "'\(given.prefix(100))' is not a language such as de or pt-BR")
    }
    return tag
  }

  /// The language itself, and what it is a kind of: `zh-Hant-TW`, `zh-Hant`, `zh`.
  var chain: [String] {
    var parts = text.split(separator: "-")
    var chain: [String] = []
    while !parts.isEmpty {
      chain.append(parts.joined(separator: "-"))
      parts.removeLast()
    }
    return chain
  }
}
