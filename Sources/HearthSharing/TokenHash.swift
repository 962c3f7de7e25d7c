import HearthCrypto

/// What is kept of a token: its SHA-256. Tokens that are made here have 258 random bits, so that
/// nobody finds one by its hash.
package struct TokenHash: Sendable {
  /// 64 hexadecimal digits.
  package let text: String

  package init(of token: String) {
    text = String(decoding: Digest.sha256.hash(Array(token.utf8)).hexDigits, as: UTF8.self)
  }

  /// As the store has it.
  init(stored text: String) { self.text = text }

  /// Compares in the same time, whether the first digit differs or the last.
  package func isSame(as other: TokenHash) -> Bool { ConstantTime.equal(text, other.text) }

  /// How the log names a token. Nobody can get the token from it.
  package var short: String { String(text.prefix(8)) }

  /// A new token of 258 random bits, in letters that a URL and a cookie take as they are.
  package static func makeToken() -> String { "hearth_" + Randomness().base64URL(43) }
}
