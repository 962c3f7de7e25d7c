package import HearthCrypto
import HearthWire

/// Signatures as Standard Webhooks has them: https://www.standardwebhooks.com
package struct WebhookSecret: Sendable, Equatable {
  private static let prefix = "whsec_"
  /// Bytes of a key. The specification recommends 24 to 64.
  private static let sizes = 24...64

  /// The decoded key: what is signed with is not the text.
  private let key: [UInt8]

  /// Makes a secret of 32 random bytes.
  package init(_ random: Randomness) { key = random.bytes(32) }

  /// Reads `whsec_` and the key in Base64; nil where it is not that, or of another size.
  ///
  /// The prefix may be missing.
  package init?(_ text: String) {
    let digits = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
    guard let key = Base64.decode(digits), Self.sizes.contains(key.count) else { return nil }
    self.key = key
  }

  /// With the prefix, as receivers have it in their settings.
  package var text: String { Self.prefix + Base64.encode(key) }

  /// The value of `webhook-signature`: a version, and an HMAC with SHA-256 over id, time and body.
  ///
  /// The time, in seconds since the epoch, is part of what is signed, so that receivers can refuse
  /// old messages.
  package func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
    let signed = Array("\(id).\(seconds).".utf8) + body
    return "v1," + Base64.encode(Digest.sha256.hmac(signed, key: key))
  }
}
