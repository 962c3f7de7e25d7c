import HearthCrypto
package import HearthTime
package import HearthTokens
package import HearthWire

/// A service account with its private key. Hearth makes it up; it opens nothing outside.
package struct ServiceAccount: Sendable {
  package let projectId: String
  package let email: String
  /// Digits, as Google's ids of accounts are.
  package let uniqueId: String
  /// `kid` of what the account signs: 40 hexadecimal digits.
  package let keyID: String
  package let key: SigningKey

  /// Makes an account with a new key, which takes 50 to 300 ms.
  package static func generate(project: String, now: Timestamp) throws -> ServiceAccount {
    ServiceAccount(project: project, key: try SigningKey.generate(now: now))
  }

  init(project: String, key: SigningKey) {
    self.init(
      projectId: project, email: Self.email(of: project),
      uniqueId: "1" + Self.digits(Digest.sha256.hash(Array(key.id.utf8)), count: 20),
      keyID: String(decoding: Digest.sha1.hash(Array(key.id.utf8)).hexDigits, as: UTF8.self),
      key: key)
  }

  init(projectId: String, email: String, uniqueId: String, keyID: String, key: SigningKey) {
    self.projectId = projectId
    self.email = email
    self.uniqueId = uniqueId
    self.keyID = keyID
    self.key = key
  }

  /// The address of the account that Hearth plays for a project. Its name says whose it is.
  package static func email(of project: String) -> String {
    "hearth-admin@\(project).iam.gserviceaccount.com"
  }

  private static func digits(_ bytes: [UInt8], count: Int) -> String {
    bytes.prefix(count).map { String($0 % 10) }.joined()
  }

  /// The public key as a JSON Web Key with the account's own key id.
  package var jwk: JSON {
    var members = key.jwk.object ?? JSONObject()
    members["kid"] = .string(keyID)
    return .object(members)
  }

  /// A JSON Web Token that the account signs.
  package func sign(_ claims: JSONObject) throws -> String {
    try JWT.signed(claims, by: key, keyID: keyID)
  }

  /// The only refresh token that counts here. It follows from the key, so that a file with it and the
  /// key file belong together without a table.
  package func refreshToken() throws -> String {
    let secret = Digest.sha256.hmac(
      Array("refresh token".utf8), key: Array(try key.pem().utf8))
    return "1//hearth-" + Base64.encodeURL(secret)
  }
}
