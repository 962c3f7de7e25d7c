package import HearthCrypto
import HearthWire

/// Signatures as Standard Webhooks has them: https://www.standardwebhooks.com
package struct WebhookSecret: Sendable, Equatable {
  private static let prefix = "whsec_"
  private static let sizes = 24...64

  private let key: [UInt8]

  /// A secret of its own.
  package init(_ random: Randomness) { key = random.bytes(32) }

  /// Reads `whsec_` and the key in Base64; nil where it is not that, or of another size.
  package init?(_ text: String) {
    let digits = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
    guard let key = Base64.decode(digits), Self.sizes.contains(key.count) else { return nil }
    self.key = key
  }

  package var text: String { Self.prefix + Base64.encode(key) }

  /// The value of `webhook-signature`.
  package func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
    let signed = Array("\(id).\(seconds).".utf8) + body
    return "v1," + Base64.encode(Digest.sha256.hmac(signed, key: key))
  }
}
