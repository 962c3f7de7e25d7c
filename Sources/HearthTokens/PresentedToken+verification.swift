import HearthCrypto
import Synchronization

extension KeySet {
  /// Decodes a token that a client presented, and judges its signature; nil if it is not a token.
  package func present(_ token: String) -> PresentedToken? {
    guard token.utf8.count <= JWT.maximumLength else { return nil }
    let digest = Digest.sha256.hash(Array(token.utf8))
    if let known = verified.token(digest) { return known }
    guard let jwt = JWT(token) else { return nil }
    let presented = PresentedToken(claims: jwt.claims, signature: judge(jwt))
    if case .ours = presented.signature { verified.remember(presented, digest: digest) }
    return presented
  }

  /// Only the two algorithms that we write are known: a public key must never serve as the secret
  /// of an HMAC.
  private func judge(_ jwt: JWT) -> PresentedToken.Signature {
    switch jwt.algorithm {
    case "none": return jwt.signature.isEmpty ? .none : .foreign
    case "RS256":
      guard let key = jwt.keyID.flatMap({ key(id: $0) }),
        key.verify(jwt.signature, of: jwt.signingInput)
      else { return .foreign }
      return .ours
    default: return .foreign
    }
  }
}

/// Tokens of ours that were presented lately: an app shows the same one again and again. They are
/// known by the digest of the whole token, signature included. Each `KeySet` owns one; requests of all
/// threads share it.
final class VerifiedTokens: Sendable {
  private static let capacity = 1024
  private let tokens = Mutex<[[UInt8]: PresentedToken]>([:])

  func token(_ digest: [UInt8]) -> PresentedToken? { tokens.withLock { $0[digest] } }

  func remember(_ token: PresentedToken, digest: [UInt8]) {
    tokens.withLock { tokens in
      if tokens.count >= Self.capacity { tokens.removeAll(keepingCapacity: true) }
      tokens[digest] = token
    }
  }
}
