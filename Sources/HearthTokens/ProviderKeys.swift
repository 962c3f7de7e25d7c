package import HearthTime
import Synchronization

/// The keys of the identity providers that live here, a set for each of them and each algorithm.
///
/// A set is made when it is first asked for, so that a server whose providers nobody uses makes none.
/// It owns the sets, and may be called on any thread.
package final class ProviderKeys: Sendable {
  private struct Name: Hashable {
    let provider: String
    let algorithm: SigningAlgorithm
  }

  private let clock: any HearthClock
  private let sets = Mutex<[Name: KeySet]>([:])

  package init(clock: any HearthClock) { self.clock = clock }

  /// The keys of a provider. The first one is being made when this returns for the first time.
  package func keys(of provider: String, algorithm: SigningAlgorithm = .rs256) -> KeySet {
    let name = Name(provider: provider, algorithm: algorithm)
    return sets.withLock { sets in
      if let known = sets[name] { return known }
      let made = KeySet(directory: nil, clock: clock) { now in
        try SigningKey.generate(name: "Hearth \(provider)", algorithm: algorithm, now: now)
      }
      sets[name] = made
      return made
    }
  }

  /// The keys that a provider has signed with, or may have: none where nobody has used it.
  package func known(of provider: String) -> [SigningKey] {
    let known = sets.withLock { sets in
      SigningAlgorithm.allCases.compactMap { sets[Name(provider: provider, algorithm: $0)] }
    }
    return known.flatMap { $0.allIfReady() }
  }

  /// The claims of a token that the provider has signed; nil for all other texts.
  package func verified(_ token: String, of provider: String) -> JWT? {
    guard let jwt = JWT(token), let id = jwt.keyID,
      let key = known(of: provider).first(where: { $0.id == id }),
      // A token that names another algorithm than its key has is somebody else's.
      jwt.algorithm == key.algorithm.rawValue, key.verify(jwt.signature, of: jwt.signingInput)
    else { return nil }
    return jwt
  }
}
