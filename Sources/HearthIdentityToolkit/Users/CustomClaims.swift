package import HearthErrors
package import HearthWire

/// The claims that an administrator or a custom token adds to ID tokens.
package enum CustomClaims {
  /// Names that belong to the token itself, in the order in which they are looked for.
  static let reserved = [
    "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf",
    "auth_time", "firebase", "at_hash", "c_hash",
  ]

  private static let maximumLength = 1000

  /// Checks the JSON text of `customAttributes`.
  static func check(_ attributes: String) throws(APIError) {
    guard attributes.utf16.count <= maximumLength else { throw APIError(.claimsTooLarge) }
    // The parser overlooks a byte-order mark, as it must in files.
    guard attributes.unicodeScalars.first != "\u{FEFF}",
      case .object(let claims)? = try? JSON.parse(attributes)
    else {
      throw APIError(.invalidClaims)
    }
    try check(claims)
  }

  /// The same, where a refusal says what is in the place of an object.
  static func checkObject(_ attributes: String) throws(APIError) {
    guard attributes.utf16.count <= maximumLength else { throw APIError(.claimsTooLarge) }
    if let json = try? JSON.parse(attributes), json.object == nil {
      throw APIError(.invalidClaims, detail: "Not a JSON Object: \(json.text)")
    }
    try check(attributes)
  }

  package static func check(_ claims: JSONObject) throws(APIError) {
    let names = Set(claims.keys)
    for name in reserved where names.contains(name) {
      throw APIError(.forbiddenClaim, detail: name)
    }
  }
}
