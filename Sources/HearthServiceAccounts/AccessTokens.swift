package import HearthCrypto
package import HearthTime
import Synchronization

/// The access tokens that this process has issued, by their digests. Nothing is kept of the tokens
/// themselves. It is owned by `ServiceAccounts`; requests of all threads share it.
package final class AccessTokens: Sendable {
  package struct Token: Sendable {
    package let email: String
    package let scope: String
    package let expires: Timestamp
  }

  private struct Table {
    var tokens: [[UInt8]: Token] = [:]
    /// In the order of their issue.
    var order: [[UInt8]] = []
  }

  /// Of more, the oldest are forgotten. An entry takes up to 2 KB.
  static let most = 10_000
  private static let longestText = 900

  private let table = Mutex(Table())

  package init() {}

  package func issue(
    to email: String, scope: String, expires: Timestamp, _ random: Randomness = Randomness()
  ) -> String {
    let text = "ya29.hearth-" + random.base64URL(64)
    let digest = Self.digest(text)
    let token = Token(email: Self.cut(email), scope: Self.cut(scope), expires: expires)
    table.withLock { table in
      table.tokens[digest] = token
      table.order.append(digest)
      if table.order.count > Self.most {
        for old in table.order.prefix(Self.most / 10) { table.tokens[old] = nil }
        table.order.removeFirst(Self.most / 10)
      }
    }
    return text
  }

  /// Nil for a token that was not issued here, was revoked, or has expired.
  package func token(_ text: String, at now: Timestamp) -> Token? {
    let digest = Self.digest(text)
    guard let token = table.withLock({ $0.tokens[digest] }), token.expires > now else { return nil }
    return token
  }

  /// - Returns: whether there was one.
  package func revoke(_ text: String) -> Bool {
    let digest = Self.digest(text)
    return table.withLock { $0.tokens.removeValue(forKey: digest) != nil }
  }

  /// Bytes are counted: a single character may have millions of them.
  private static func cut(_ text: String) -> String {
    text.utf8.count <= longestText
      ? text : String(decoding: text.utf8.prefix(longestText), as: UTF8.self)
  }

  /// A lookup by digest says nothing about where two tokens differ.
  private static func digest(_ text: String) -> [UInt8] { Digest.sha256.hash(Array(text.utf8)) }
}
