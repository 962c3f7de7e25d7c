import HearthCrypto
import HearthTime
import HearthWire

/// Making secrets, and knowing them again.
extension SecretFormat {
  /// A fresh secret. Only a JWT tells about whom it is and when it ends.
  func make(_ random: Randomness, subject: String, from now: Timestamp, to end: Timestamp) -> String
  {
    switch kind {
    case .digits, .alphanumeric, .hex, .base64url, .characters: random.text(length, of: alphabet)
    case .uuid: random.uuid()
    case .jwt: Self.jwt(random, subject: subject, from: now, to: end)
    }
  }

  /// It has the shape of a JWT; its signature is random, as nobody but us is to check it.
  private static func jwt(
    _ random: Randomness, subject: String, from now: Timestamp, to end: Timestamp
  ) -> String {
    let header: JSON = ["alg": "HS256", "typ": "JWT"]
    let payload: JSON = [
      "sub": .string(subject), "iat": .int(now.seconds), "exp": .int(end.seconds),
      "jti": .string(random.uuid()),
    ]
    return [header.bytes, payload.bytes, random.bytes(32)].map(Base64.encodeURL)
      .joined(separator: ".")
  }

  /// The secret as it was made, from what a person or a mail program made of it; nil when it cannot
  /// be one of ours.
  func normalise(_ text: String) -> String? {
    var bytes = Array(text.utf8)
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    bytes = Array(bytes.drop { $0 <= 0x20 })
    guard !bytes.isEmpty, bytes.count <= 4096 else { return nil }
    if ignoresCase { bytes = folded(bytes) }
    switch kind {
    case .jwt: guard bytes.filter({ $0 == UInt8(ascii: ".") }).count == 2 else { return nil }
    case .uuid: guard bytes.count == length else { return nil }
    case .digits, .alphanumeric, .hex, .base64url, .characters:
      guard bytes.count == length else { return nil }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func folded(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    let isUpper = alphabet.contains(where: \.isASCIIUppercase)
    return Array((isUpper ? text.uppercased() : text.lowercased()).utf8)
  }
}
