import COpenSSL
import Foundation
package import HearthCore
import Synchronization

/// The keys of one data directory: the newest signs, all are published and verify.
///
/// The first key is made, or read, in the background, so that the ports can open at once; who needs
/// it earlier waits.
package final class KeySet: Sendable {
  private enum State {
    case loading([CheckedContinuation<Void, Never>])
    case ready([SigningKey])
    case failed(any Error)
  }

  private let state = Mutex(State.loading([]))
  private let files: KeyFiles?
  private let clock: any HearthClock
  private let verified = VerifiedTokens()

  /// Keeps the keys in that directory, or, where it is nil, in memory only.
  package init(directory: String?, clock: any HearthClock) {
    files = directory.map(KeyFiles.init(directory:))
    self.clock = clock
    // A process may end while its first key is being made; OpenSSL must not clean up under it.
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    // A thread of its own: making a key would hold up a thread that answers requests.
    Thread.detachNewThread { self.load() }
  }

  private func load() {
    let result = Result {
      let known = try files?.load(now: clock.now) ?? []
      if !known.isEmpty { return known }
      let key = try SigningKey.generate(now: clock.now)
      try files?.save(key, sequence: 1)
      return [key]
    }
    let waiters = state.withLock { state in
      defer {
        switch result {
        case .success(let keys): state = .ready(keys)
        case .failure(let error): state = .failed(error)
        }
      }
      if case .loading(let waiters) = state { return waiters }
      return []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// All keys, newest first.
  package func all() async throws -> [SigningKey] {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard case .loading(let waiters) = state else { return true }
        state = .loading(waiters + [continuation])
        return false
      }
      if isReady { continuation.resume() }
    }
    return try state.withLock { state in
      switch state {
      case .ready(let keys): keys
      case .failed(let error): throw error
      case .loading: []
      }
    }
  }

  /// The key that signs.
  package func current() async throws -> SigningKey {
    if let key = readyKeys.first { return key }
    guard let key = try await all().first else { throw KeyError.notAKey }
    return key
  }

  private var readyKeys: [SigningKey] {
    state.withLock { if case .ready(let keys) = $0 { keys } else { [] } }
  }

  package func key(id: String) -> SigningKey? { readyKeys.first { $0.id == id } }

  /// Adds a key, which signs from now on; tokens of the older ones stay good.
  package func rotate() async throws -> SigningKey {
    let known = try await all()
    let key = try SigningKey.generate(now: clock.now)
    try files?.save(key, sequence: known.count + 1)
    state.withLock { state in
      if case .ready(let keys) = state { state = .ready([key] + keys) }
    }
    return key
  }

  /// The document of RFC 7517 that JWT libraries fetch.
  package func jwks() async throws -> JSON {
    .members(["keys": .array(try await all().map(\.jwk))])
  }

  /// PEM certificates by key id, the document that Google's libraries fetch.
  package func certificates() async throws -> JSON {
    var object = JSONObject()
    for key in try await all() { object.append(key.id, .string(key.certificatePEM)) }
    return .object(object)
  }

  /// Decodes a token that a client presented, and judges its signature; nil if it is no token.
  package func present(_ token: String) -> PresentedToken? {
    let digest = Digest.sha256.hash(Array(token.utf8))
    if let known = verified.token(digest) { return known }
    guard let jwt = JWT(token) else { return nil }
    let presented = PresentedToken(claims: jwt.claims, signature: judge(jwt))
    if case .ours = presented.signature { verified.remember(presented, digest) }
    return presented
  }

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
/// known by the digest of the whole token, signature included.
private final class VerifiedTokens: Sendable {
  private static let capacity = 1024
  private let tokens = Mutex<[[UInt8]: PresentedToken]>([:])

  func token(_ digest: [UInt8]) -> PresentedToken? { tokens.withLock { $0[digest] } }

  func remember(_ token: PresentedToken, _ digest: [UInt8]) {
    tokens.withLock { tokens in
      if tokens.count >= Self.capacity { tokens.removeAll(keepingCapacity: true) }
      tokens[digest] = token
    }
  }
}
