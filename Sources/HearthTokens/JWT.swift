package import HearthWire

/// A JSON Web Token, taken apart. Nothing is verified here.
package struct JWT: Sendable {
  package let header: JSONObject
  package let claims: JSONObject
  package let signature: [UInt8]
  /// The first two parts with their dot: what the signature is over.
  package let signingInput: [UInt8]

  /// Longer texts are not looked into.
  static let maximumLength = 128 * 1024

  /// Nil unless these are three base64url parts without padding, of which only the last may be
  /// empty, with JSON objects in the first two.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    let bytes = Array(text.utf8)
    guard !bytes.contains(where: Self.isOfStandardBase64) else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty,
      let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Base64.decode(parts[2])
    else { return nil }
    self.header = header
    self.claims = claims
    self.signature = signature
    signingInput = Array(bytes[..<parts[1].endIndex])
  }

  /// RFC 7515 knows the URL-safe alphabet only; the common decoder is more lenient.
  private static func isOfStandardBase64(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "=") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
  }

  private static func object(_ part: ArraySlice<UInt8>) -> JSONObject? {
    guard let bytes = Base64.decode(part), case .object(let object)? = try? JSON.parse(bytes)
    else { return nil }
    return object
  }

  package var algorithm: String? { header["alg"]?.string }
  package var keyID: String? { header["kid"]?.string }

  private static let unsignedHeader = Base64.encodeURL(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))

  /// A token as the official emulator mints it: unsigned, with its last dot.
  package static func unsigned(_ claims: JSONObject) -> String {
    unsignedHeader + "." + Base64.encodeURL(JSON.object(claims).bytes) + "."
  }

  package static func signed(
    _ claims: JSONObject, by key: SigningKey, omittingType: Bool = false
  ) throws -> String {
    let header = omittingType ? key.encodedHeaderWithoutType : key.encodedHeader
    let input = header + "." + Base64.encodeURL(JSON.object(claims).bytes)
    return input + "." + Base64.encodeURL(try key.sign(Array(input.utf8)))
  }

  /// A token of a key that has a name of its own.
  package static func signed(
    _ claims: JSONObject, by key: SigningKey, keyID: String
  ) throws -> String {
    let header = JSON.members([
      "alg": .string(key.algorithm.rawValue), "kid": .string(keyID), "typ": "JWT",
    ])
    let input = Base64.encodeURL(header.bytes) + "." + Base64.encodeURL(JSON.object(claims).bytes)
    return input + "." + Base64.encodeURL(try key.sign(Array(input.utf8)))
  }
}
