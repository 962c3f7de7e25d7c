/// Why a pattern cannot be used, or a search did not end.
package enum RegexError: Error, Equatable, CustomStringConvertible {
  /// Something is not closed.
  case malformed
  /// Not part of the syntax, or too large; in words.
  case unsupported(String)
  /// The search took more than its ``RegexWork`` allows.
  case tooMuchWork

  package var description: String {
    switch self {
    case .malformed: "not a regular expression"
    case .unsupported(let words): words
    case .tooMuchWork: "a regular expression that takes too much work"
    }
  }
}

/// What a search may cost: a unit is about 100 ns. A count, not a clock, so that a search always has
/// one outcome.
package struct RegexWork {
  private let limit: Int
  package private(set) var spent = 0

  package init(limit: Int) { self.limit = limit }

  mutating func spend(_ units: Int) throws(RegexError) {
    spent += units
    if spent > limit { throw .tooMuchWork }
  }
}

extension Unicode.Scalar {
  /// An ASCII letter, a digit or `_`.
  var isWord: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }
}
