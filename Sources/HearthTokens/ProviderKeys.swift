package import HearthTime
import Synchronization

/// The keys of the identity providers that live here, a set for each of them.
///
/// A set is made when it is first asked for, so that a server whose providers nobody uses makes none.
/// It owns the sets, and may be called on any thread.
package final class ProviderKeys: Sendable {
  private let clock: any HearthClock
  private let sets = Mutex<[String: KeySet]>([:])

  package init(clock: any HearthClock) { self.clock = clock }

  /// The keys of a provider. The first one is being made when this returns for the first time.
  package func keys(of provider: String) -> KeySet {
    sets.withLock { sets in
      if let known = sets[provider] { return known }
      let made = KeySet(directory: nil, clock: clock) { now in
        try SigningKey.generate(name: "Hearth \(provider)", now: now)
      }
      sets[provider] = made
      return made
    }
  }

  /// The keys of a provider that somebody has used.
  package func known(of provider: String) -> KeySet? { sets.withLock { $0[provider] } }

  /// The claims of a token that the provider has signed; nil for all other texts.
  package func verified(_ token: String, of provider: String) -> JWT? {
    guard let jwt = JWT(token), jwt.algorithm == "RS256", let id = jwt.keyID,
      let keys = known(of: provider), let key = keys.key(id: id),
      key.verify(jwt.signature, of: jwt.signingInput)
    else { return nil }
    return jwt
  }
}
