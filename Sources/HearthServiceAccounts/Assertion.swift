package import HearthTime
import HearthTokens
package import HearthWire

/// What a service account says of itself: a JSON Web Token that it signed.
package struct Assertion: Sendable {
  package let claims: JSONObject

  static let longestLife: Int64 = 3600
  /// How far the clocks of two machines may be apart.
  static let leeway: Int64 = 300

  /// Why one is refused.
  package enum Refusal: Error, Sendable, Equatable, CustomStringConvertible {
    case malformed, algorithm, foreignKey, signature, issuer, audience, expired, notYetValid
    case longLived, noAccount, userToken

    package var description: String {
      switch self {
      case .malformed: "Invalid JWT: three base64url parts with JSON objects are expected."
      case .algorithm: "Invalid JWT: only RS256 is accepted."
      case .foreignKey:
        "Invalid JWT Signature: Hearth did not issue the key. If it is a real one, it did not leave "
          + "this machine. Use the key file that Hearth writes, or start Hearth with "
          + "--accept-any-service-account."
      case .signature: "Invalid JWT Signature."
      case .issuer: "Invalid JWT: iss and sub must be the address of the service account."
      case .audience: "Invalid JWT: aud does not name this service."
      case .expired: "Invalid JWT: the token has expired."
      case .notYetValid: "Invalid JWT: the token was issued in the future."
      case .longLived:
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
          + "Check your iat and exp values in the JWT claim."
      case .noAccount:
        "Hearth knows no service account: start it with --service-account FILE, or with "
          + "--accept-any-service-account."
      case .userToken:
        "This is the ID token or session cookie of a user, not the token of a service account. It "
          + "counts for clients of Firestore if this server issued it and it was not altered: sign in "
          + "at this server. Calls of administrators need its service account."
      }
    }
  }

  /// Who issues the tokens of users.
  private static let userIssuers = [
    "https://securetoken.google.com/", "https://session.firebase.google.com/",
  ]

  /// Verifies form, algorithm, key, signature, issuer and times. The audience is the caller's to check.
  ///
  /// With `acceptsAny` another key's signature counts too, unseen. The token has to be valid at one of
  /// the times: where a project's clock was moved, clients still sign by the machine's.
  package init(
    _ text: String, by account: ServiceAccount?, acceptsAny: Bool, at times: [Timestamp]
  ) throws(Refusal) {
    guard let jwt = JWT(text) else { throw .malformed }
    if let issuer = jwt.claims["iss"]?.string, Self.userIssuers.contains(where: issuer.hasPrefix) {
      throw .userToken
    }
    guard jwt.algorithm == "RS256" else { throw .algorithm }
    var isOurs = false
    if let account, jwt.keyID == nil || jwt.keyID == account.keyID {
      isOurs = account.key.verify(jwt.signature, of: jwt.signingInput)
      // Tampered, or another key under the same name.
      if !isOurs, jwt.keyID != nil || !acceptsAny {
        throw jwt.keyID == nil ? .foreignKey : .signature
      }
    }
    if !isOurs, !acceptsAny { throw account == nil ? .noAccount : .foreignKey }
    guard let issuer = jwt.claims["iss"]?.string.nonEmpty, !isOurs || issuer == account?.email
    else {
      throw .issuer
    }
    try Self.check(jwt.claims, at: times)
    claims = jwt.claims
  }

  private static func check(_ claims: JSONObject, at times: [Timestamp]) throws(Refusal) {
    guard let issued = claims["iat"]?.integer, let expiry = claims["exp"]?.integer,
      (0..<Int64(UInt32.max) * 2).contains(issued), (0..<Int64(UInt32.max) * 2).contains(expiry),
      issued < expiry, expiry - issued <= longestLife
    else { throw .longLived }
    var refusal = Refusal.expired
    for time in times {
      if expiry <= time.seconds {
        refusal = .expired
      } else if issued > time.seconds + leeway {
        refusal = .notYetValid
      } else {
        return
      }
    }
    throw refusal
  }

  /// `iss` of every assertion is there.
  package var issuer: String { claims["iss"]?.string ?? "" }

  /// Whether it stands for the account itself, as a self-signed token has to.
  package var isOfItself: Bool { claims["sub"]?.string == issuer }

  /// Whether it may be used in place of an access token of a service: for that service, or with scopes.
  func covers(_ service: String) -> Bool {
    if let scope = claims["scope"]?.string { return !scope.isEmpty }
    guard let audience = claims["aud"]?.string else { return false }
    let base = "https://\(service)"
    return audience == base || audience.hasPrefix(base + "/")
  }
}
