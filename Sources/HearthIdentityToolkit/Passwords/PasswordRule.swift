/// One thing that a password must be.
package enum PasswordRule: Hashable, Sendable {
  /// So many characters, counted as browsers and production count them: in units of UTF-16.
  case atLeast(Int64)
  case atMost(Int64)
  case lowercase, uppercase, digit, symbol

  /// The characters that count as non-alphanumeric.
  static let symbols = "^$*.[]{}()?\"!@#%&/\\,><':;|_~`=+- "

  /// Those of production, recorded.
  static let recordedSymbols = "^$*.[]{}()?\"!@#%&/\\,><':;|_~`-"

  package func isMet(by password: String) -> Bool { isMet(by: password, Self.symbols) }

  func isMet(by password: String, _ symbols: String) -> Bool {
    switch self {
    case .atLeast(let count): Int64(password.utf16.count) >= count
    case .atMost(let count): Int64(password.utf16.count) <= count
    case .lowercase: password.contains(where: \.isLowercase)
    case .uppercase: password.contains(where: \.isUppercase)
    case .digit: password.contains { $0.isASCII && $0.isNumber }
    case .symbol: password.contains(where: symbols.contains)
    }
  }
}

extension PasswordRule {
  /// What a password must be, as production words it.
  var words: String {
    switch self {
    case .atLeast(let count): "Password must contain at least \(count) characters"
    case .atMost(let count): "Password may contain at most \(count) characters"
    case .lowercase: "Password must contain a lower case character"
    case .uppercase: "Password must contain an upper case character"
    case .digit: "Password must contain a numeric character"
    case .symbol: "Password must contain a non-alphanumeric character"
    }
  }

  /// Of the notification that a password does not meet it.
  var code: String {
    switch self {
    case .atLeast: "MINIMUM_PASSWORD_LENGTH"
    case .atMost: "MAXIMUM_PASSWORD_LENGTH"
    case .lowercase: "MISSING_LOWERCASE_CHARACTER"
    case .uppercase: "MISSING_UPPERCASE_CHARACTER"
    case .digit: "MISSING_NUMERIC_CHARACTER"
    case .symbol: "MISSING_NON_ALPHANUMERIC_CHARACTER"
    }
  }
}
