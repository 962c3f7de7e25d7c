import CHearthOpenSSL
package import HearthTime
package import HearthWire
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The keys of one data directory: the newest signs, all are published and verify.
///
/// The first key is made, or read, in the background, so that the ports can open at once; who needs
/// it earlier waits. It owns the keys and their files, and may be called on any thread.
package final class KeySet: Sendable {
  private typealias Waiter = CheckedContinuation<[SigningKey], any Error>

  private enum State {
    /// Those who wait, by a number, so that one whose task is cancelled can be found.
    case loading([Int: Waiter])
    case ready([SigningKey])
    case failed(any Error)
  }

  private let state = Mutex(State.loading([:]))
  private let lastWaiter = Mutex(0)
  private let exposed = Mutex<[String]>([])
  /// Held while a key is added, so that files and memory agree on which is the newest.
  private let addition = Mutex(())
  private let files: KeyFiles?
  private let clock: any HearthClock
  private let makeKey: @Sendable (Timestamp) throws -> SigningKey
  let verified = VerifiedTokens()

  /// Keeps the keys in that directory, or, where it is nil, in memory only.
  package init(
    directory: String?, folder: String = "keys", clock: any HearthClock,
    makeKey: @escaping @Sendable (Timestamp) throws -> SigningKey = SigningKey.generate(now:)
  ) {
    files = directory.map { KeyFiles(directory: $0, folder: folder) }
    self.clock = clock
    self.makeKey = makeKey
    // A process may end while its first key is being made; OpenSSL must not clean up under it.
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    startLoading()
  }

  private func startLoading() {
    // A thread of its own: making a key would hold up a thread that answers requests.
    detachThread {
      // What has to be done before the ports are open goes first.
      #if os(Linux)
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
      #endif
      self.load()
    }
  }

  private func load() {
    let result = Result {
      let known = try files?.load(now: clock.now)
      exposed.withLock { $0 = known?.exposed ?? [] }
      if let keys = known?.keys, !keys.isEmpty { return keys }
      let key = try makeKey(clock.now)
      try files?.save(key)
      return [key]
    }
    let waiters: [Int: Waiter] = state.withLock { state in
      defer {
        switch result {
        case .success(let keys): state = .ready(keys)
        case .failure(let error): state = .failed(error)
        }
      }
      if case .loading(let waiters) = state { return waiters }
      return [:]
    }
    for waiter in waiters.values { waiter.resume(with: result) }
  }

  /// Whether there are keys of an earlier run, which take no time to be made.
  package var hasStoredKeys: Bool { files?.exist ?? false }

  /// Files that others than their owner can read.
  package var exposedFiles: [String] { exposed.withLock { $0 } }

  /// Whether no token could be signed when it was tried last.
  package var hasFailed: Bool {
    state.withLock { if case .failed = $0 { true } else { false } }
  }

  /// Returns when there is a key, and throws when there is none.
  package func waitUntilReady() async throws { _ = try await all() }

  /// All keys, newest first. Where they could not be had before, they are tried again.
  ///
  /// - Throws: `CancellationError` where the task is cancelled meanwhile.
  package func all() async throws -> [SigningKey] {
    let number = lastWaiter.withLock { number in
      number += 1
      return number
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(as: number, $0) }
    } onCancel: {
      takeWaiter(number)?.resume(throwing: CancellationError())
    }
  }

  private func wait(as number: Int, _ waiter: Waiter) {
    let (answer, mustLoad): (Result<[SigningKey], any Error>?, Bool) = state.withLock { state in
      switch state {
      case .ready(let keys): return (.success(keys), false)
      // Its handler has run already, and found nobody.
      case _ where Task.isCancelled: return (.failure(CancellationError()), false)
      case .loading(var waiters):
        waiters[number] = waiter
        state = .loading(waiters)
        return (nil, false)
      case .failed:
        state = .loading([number: waiter])
        return (nil, true)
      }
    }
    if let answer { waiter.resume(with: answer) }
    if mustLoad { startLoading() }
  }

  private func takeWaiter(_ number: Int) -> Waiter? {
    state.withLock { state in
      guard case .loading(var waiters) = state else { return nil }
      let waiter = waiters.removeValue(forKey: number)
      state = .loading(waiters)
      return waiter
    }
  }

  /// The key that signs.
  package func current() async throws -> SigningKey {
    if let key = currentIfReady() { return key }
    guard let key = try await all().first else { throw KeyError.notAKey }
    return key
  }

  /// The key that signs, unless it is still being made.
  package func currentIfReady() -> SigningKey? { readyKeys.first }

  /// All keys, newest first; none where the first is still being made.
  package func allIfReady() -> [SigningKey] { readyKeys }

  package func key(id: String) -> SigningKey? { readyKeys.first { $0.id == id } }

  private var readyKeys: [SigningKey] {
    state.withLock { if case .ready(let keys) = $0 { keys } else { [] } }
  }

  /// Adds a key, which signs from now on; tokens of the older ones stay good.
  package func rotate() async throws -> SigningKey {
    try await waitUntilReady()
    return try await withCheckedThrowingContinuation { continuation in
      detachThread { continuation.resume(with: Result { try self.addKey() }) }
    }
  }

  private func addKey() throws -> SigningKey {
    let key = try makeKey(clock.now)
    try addition.withLock { _ in
      try files?.save(key)
      state.withLock { state in
        if case .ready(let keys) = state { state = .ready([key] + keys) }
      }
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
    for key in try await all() { object.append(key.id, value: .string(key.certificatePEM)) }
    return .object(object)
  }
}
