package import HearthTime
import HearthTokens
import Synchronization

/// The service account of a server, and the tokens that it was given.
///
/// Its key is read from a file, or made in the background when somebody first wants it. It owns the
/// account and may be called on any thread.
package final class ServiceAccounts: Sendable {
  private enum State {
    case absent
    case loading([CheckedContinuation<ServiceAccount, any Error>])
    case ready(ServiceAccount)
  }

  package let accessTokens = AccessTokens()
  /// Whether what another key signed counts too.
  package let acceptsAny: Bool
  private let project: String
  private let clock: any HearthClock
  private let state: Mutex<State>

  /// Without an account it makes one with a new key.
  package init(
    project: String, account: ServiceAccount? = nil, acceptsAny: Bool = false,
    clock: any HearthClock
  ) {
    self.project = project
    self.acceptsAny = acceptsAny
    self.clock = clock
    state = Mutex(account.map(State.ready) ?? .absent)
  }

  /// The account, where its key is there.
  package var known: ServiceAccount? {
    state.withLock { if case .ready(let account) = $0 { account } else { nil } }
  }

  /// The project whose clock the account's tokens go with.
  package var projectId: String { known?.projectId ?? project }

  /// Begins to make the key, if there is none.
  package func prepare() { Task { try? await account() } }

  /// The account; the first call makes its key.
  package func account() async throws -> ServiceAccount {
    try await withCheckedThrowingContinuation { continuation in
      let (account, begins): (ServiceAccount?, Bool) = state.withLock { state in
        switch state {
        case .ready(let account): return (account, false)
        case .loading(let waiters):
          state = .loading(waiters + [continuation])
          return (nil, false)
        case .absent:
          state = .loading([continuation])
          return (nil, true)
        }
      }
      if let account { continuation.resume(returning: account) }
      // A thread of its own: making a key would hold up a thread that answers requests.
      if begins { detachThread { self.make() } }
    }
  }

  private func make() {
    let result = Result { try ServiceAccount.generate(project: project, now: clock.now) }
    let waiters: [CheckedContinuation<ServiceAccount, any Error>] = state.withLock { state in
      guard case .loading(let waiters) = state else { return [] }
      switch result {
      case .success(let account): state = .ready(account)
      case .failure: state = .absent
      }
      return waiters
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  // MARK: Credentials

  /// Whether an access token was issued here and is still good.
  package func hasIssued(_ token: String, at now: Timestamp) -> Bool {
    accessTokens.token(token, at: now) != nil
  }

  /// Whether a token is one that the account signed by itself for a service, in place of an access
  /// token.
  /// The service is the host of an API, such as `firestore.googleapis.com`.
  package func checkSelfSigned(
    _ token: String, for service: String, at times: [Timestamp]
  ) throws(Assertion.Refusal) {
    let assertion = try assertion(token, at: times)
    guard assertion.isOfItself else { throw .issuer }
    guard assertion.covers(service) else { throw .audience }
  }

  /// An assertion that counts here.
  package func assertion(
    _ text: String, at times: [Timestamp]
  ) throws(Assertion.Refusal) -> Assertion {
    try Assertion(text, by: known, acceptsAny: acceptsAny, at: times)
  }
}
