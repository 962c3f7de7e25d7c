/// What a request does to one document, in the words of `request.method`.
package enum RuleMethod: String, Sendable, CaseIterable {
  case get, list, create, update, delete

  /// The methods that a word after `allow` stands for; nil for an unknown word.
  static func named(_ word: String) -> Set<RuleMethod>? {
    switch word {
    case "read": [.get, .list]
    case "write": [.create, .update, .delete]
    default: RuleMethod(rawValue: word).map { [$0] }
    }
  }
}
