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
