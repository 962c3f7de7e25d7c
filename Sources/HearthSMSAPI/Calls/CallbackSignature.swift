import HearthCrypto
import HearthTime
import HearthWire

/// How gateways sign what they tell apps, where more than one line is needed. The secret is the one
/// that the app sent the text with: Hearth knows no other.
enum CallbackSignature {
  private static let life: Int64 = 300

  /// A JSON Web Token by HMAC with SHA-256.
  static func jwt(_ claims: JSON, secret: String) -> String {
    let header = JSON.members(["alg": "HS256", "typ": "JWT"])
    let input = Base64.encodeURL(header.bytes) + "." + Base64.encodeURL(claims.bytes)
    let mac = Digest.sha256.hmac(Array(input.utf8), key: Array(secret.utf8))
    return input + "." + Base64.encodeURL(mac)
  }

  /// The claims of MessageBird: hashes of the address, and of a body where there is one.
  static func messageBird(
    _ url: String, id: String, secret: String, at now: Timestamp
  ) -> String {
    jwt(
      .members([
        "iss": "MessageBird", "jti": .string(id), "nbf": .int(now.seconds - 1),
        "exp": .int(now.seconds + life), "url_hash": .string(hash(Array(url.utf8))),
      ]), secret: secret)
  }

  /// The claims of Vonage's newer APIs.
  static func vonage(
    _ body: [UInt8], id: String, key: String, secret: String, at now: Timestamp
  ) -> String {
    jwt(
      .members([
        "iss": "Vonage", "jti": .string(id), "iat": .int(now.seconds), "api_key": .string(key),
        "payload_hash": .string(hash(body)),
      ]), secret: secret)
  }

  /// The fields of Vonage's SMS API with `timestamp` and `sig`.
  static func vonage(
    _ fields: [(String, String)], secret: String, at now: Timestamp
  ) -> [(String, String)] {
    let stamped = (fields + [("timestamp", String(now.seconds))]).sorted { $0.0 < $1.0 }
    let signed = stamped.map { name, value in
      "&\(name)=" + value.replacing("&", with: "_").replacing("=", with: "_")
    }.joined()
    let mac = Digest.md5.hmac(Array(signed.utf8), key: Array(secret.utf8))
    return stamped + [("sig", String(decoding: mac.hexDigits, as: UTF8.self))]
  }

  /// The headers of Sinch: the newer ones, and that of services with a call-back secret.
  static func sinch(
    _ body: [UInt8], nonce: String, secret: String, at now: Timestamp
  ) -> [(name: String, value: String)] {
    let time = String(now.seconds)
    let mac = Digest.sha256.hmac(
      body + Array(".\(nonce).\(time)".utf8), key: Array(secret.utf8))
    let older = Digest.sha1.hmac(body, key: Array(secret.utf8))
    return [
      ("x-sinch-signature", String(decoding: older.hexDigits, as: UTF8.self)),
      ("x-sinch-webhook-signature", Base64.encode(mac)),
      ("x-sinch-webhook-signature-nonce", nonce), ("x-sinch-webhook-signature-timestamp", time),
      ("x-sinch-webhook-signature-algorithm", "HmacSHA256"),
    ]
  }

  /// The headers of Bird: the time, the address, and the digest of the body as it is.
  static func bird(
    _ body: [UInt8], url: String, secret: String, at now: Timestamp
  ) -> [(name: String, value: String)] {
    let time = String(now.seconds)
    let mac = Digest.sha256.hmac(
      Array("\(time)\n\(url)\n".utf8) + Digest.sha256.hash(body), key: Array(secret.utf8))
    return [
      ("messagebird-signature", Base64.encode(mac)), ("messagebird-request-timestamp", time),
    ]
  }

  // MARK: Telnyx

  /// The headers of Telnyx. Its key pair follows from the API key, so that tests of an app can have
  /// the public half in their settings.
  static func telnyx(
    _ body: [UInt8], secret: String, at now: Timestamp
  ) -> [(name: String, value: String)] {
    let time = String(now.seconds)
    let signature = Ed25519Key.sign(Array("\(time)|".utf8) + body, with: telnyxSeed(secret))
    return [("telnyx-signature-ed25519", Base64.encode(signature)), ("telnyx-timestamp", time)]
  }

  static func telnyxPublicKey(_ secret: String) -> String {
    Base64.encode(Ed25519Key.publicKey(of: telnyxSeed(secret)))
  }

  private static func telnyxSeed(_ secret: String) -> [UInt8] {
    Digest.sha256.hash(Array("telnyx \(secret)".utf8))
  }

  private static func hash(_ bytes: [UInt8]) -> String {
    String(decoding: Digest.sha256.hash(bytes).hexDigits, as: UTF8.self)
  }
}
