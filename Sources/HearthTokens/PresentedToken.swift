package import HearthWire

/// A JSON Web Token that a client presented.
package struct PresentedToken: Sendable {
  package enum Signature: Sendable {
    /// `alg: none` with an empty third part.
    case none
    /// Made by one of our keys.
    case ours
    /// Anything else: another's key, tampered, cut.
    case foreign
  }

  package let claims: JSONObject
  package let signature: Signature

  package init(claims: JSONObject, signature: Signature) {
    self.claims = claims
    self.signature = signature
  }
}
