import HearthErrors
package import HearthOperations
package import HearthSQLite
package import HearthTime
import HearthTokens
import HearthWire
import Synchronization

/// What is thought of what a call brought as a token of App Check.
package enum AppCheckVerdict: Sendable, Equatable {
  case verified(app: String)
  case missing
  /// What SDKs send where they got no token.
  case placeholder
  case malformed, expired
  /// Of another key, or for another project.
  case foreign
  /// A limited-use token that was used before.
  case consumed

  /// As the request log names it.
  package var name: String {
    switch self {
    case .verified: "verified"
    case .missing: "missing"
    case .placeholder: "placeholder"
    case .malformed: "malformed"
    case .expired: "expired"
    case .foreign: "foreign"
    case .consumed: "consumed"
    }
  }

  /// What a call with it is counted as.
  package func kind(hasSDK: Bool) -> AppCheckReport.Kind {
    switch self {
    case .verified: .verified
    case .missing: hasSDK ? .outdatedClient : .unknownOrigin
    case .placeholder, .malformed, .expired, .foreign, .consumed: .invalid
    }
  }

  package var isVerified: Bool { if case .verified = self { true } else { false } }
}

/// A token whose signature is ours.
package struct VerifiedAppCheckToken: Sendable {
  package let app: String
  package let expiry: Int64
  let audience: [String]
  /// What it is consumed as.
  let id: String
  /// Whether it is to be used once.
  package let isLimited: Bool

  func isOf(_ project: String) -> Bool { audience.contains("projects/" + project) }

  /// Nil where the claims are not those of App Check.
  fileprivate init?(_ token: PresentedToken, text: String) {
    guard case .ours = token.signature, let app = token.claims["sub"]?.string,
      let expiry = token.claims["exp"]?.integer, let audience = token.claims["aud"]?.array,
      token.claims["iss"]?.string?.hasPrefix(AppCheckClaims.issuer) == true
    else { return nil }
    self.app = app
    self.expiry = expiry
    self.audience = audience.compactMap(\.string)
    isLimited = token.claims["jti"] != nil
    // The signature tells tokens without an id apart.
    id = token.claims["jti"]?.string ?? String(text.suffix(64))
  }
}

/// Judges tokens of App Check. An app shows the same one again and again, so those that were verified
/// are remembered. It owns them, and may be called on any thread.
package final class AppCheckJudge: Sendable {
  private static let capacity = 1024
  /// Longer ones are not remembered.
  private static let longest = 4096

  private let server: ServerFacts
  private let store: Store
  private let known = Mutex<[TokenText: VerifiedAppCheckToken]>([:])

  package init(_ server: ServerFacts, store: Store) {
    self.server = server
    self.store = store
  }

  package func verdict(on token: String?, in project: String) async -> AppCheckVerdict {
    switch await read(token) {
    case .verified(let verified): verdict(on: verified, in: project)
    case .refused(let verdict): verdict
    }
  }

  /// Takes a limited-use token once. Others are left as they are.
  package func consuming(_ token: String?, in project: String) async -> AppCheckVerdict {
    let verified: VerifiedAppCheckToken
    switch await read(token) {
    case .verified(let token): verified = token
    case .refused(let verdict): return verdict
    }
    let verdict = verdict(on: verified, in: project)
    guard verdict.isVerified, verified.isLimited else { return verdict }
    let now = server.clocks.now(of: project)
    let isFirst = try? store.transaction { transaction throws(APIError) in
      try ConsumedTokens(
        in: ProjectTransaction(transaction, projectId: project, tenantId: nil, server: server)
      ).consume(verified, at: now)
    }
    return isFirst == true ? verdict : .consumed
  }

  /// When the token that is good now will end; nil where it is not good.
  package func expiry(of token: String?) -> Timestamp? {
    token.flatMap(remembered).map { Timestamp(seconds: $0.expiry) }
  }

  private func verdict(
    on token: VerifiedAppCheckToken, in project: String
  ) -> AppCheckVerdict {
    guard token.isOf(project) else { return .foreign }
    guard token.expiry > server.clocks.now(of: project).seconds else { return .expired }
    return .verified(app: token.app)
  }

  private func remembered(_ text: String) -> VerifiedAppCheckToken? {
    known.withLock { $0[TokenText(text: text)] }
  }

  private func remember(_ verified: VerifiedAppCheckToken, text: String) {
    guard text.utf8.count <= Self.longest else { return }
    known.withLock { known in
      if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
      known[TokenText(text: text)] = verified
    }
  }

  // MARK: Reading

  private func read(_ token: String?) async -> Reading {
    guard let token, !token.isEmpty else { return .refused(.missing) }
    if let verified = remembered(token) { return .verified(verified) }
    // Just after a start a token may come before the keys that judge it.
    if let keys = server.appCheck.keys.known, keys.currentIfReady() == nil {
      try? await keys.waitUntilReady()
    }
    let reading = Self.read(token, server: server)
    if case .verified(let verified) = reading { remember(verified, text: token) }
    return reading
  }

  enum Reading {
    case verified(VerifiedAppCheckToken)
    case refused(AppCheckVerdict)
  }

  /// Reads a token whose keys are there. Neither project nor time count here.
  static func read(_ token: String, server: ServerFacts) -> Reading {
    guard token.utf8.count <= longest * 4, let jwt = JWT(token) else {
      return .refused(isPlaceholder(token) ? .placeholder : .malformed)
    }
    guard jwt.algorithm == "RS256" else { return .refused(.malformed) }
    guard let presented = server.appCheck.keys.known?.present(token),
      let verified = VerifiedAppCheckToken(presented, text: token)
    else { return .refused(.foreign) }
    return .verified(verified)
  }

  /// Base64 of `{"error":"UNKNOWN_ERROR"}`.
  private static func isPlaceholder(_ token: String) -> Bool {
    guard token.utf8.count <= 400, let bytes = Base64.decode(token) else { return false }
    return (try? JSON.parse(bytes))?["error"] != nil
  }
}

/// A token that is looked up at each call. Its end is a part of the signature and differs from that of
/// all others, so the rest need not be hashed.
private struct TokenText: Hashable {
  private static let hashed = 32

  let text: String

  func hash(into hasher: inout Hasher) {
    let end = text.utf8.suffix(Self.hashed)
    let isHashed: Void? = end.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isHashed == nil { for byte in end { hasher.combine(byte) } }
  }
}
