import HearthCrypto
import HearthErrors
import HearthFirestoreProtos
import HearthLimits
import HearthOperations
import HearthSQLite
import HearthTime
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The transactions that are open, what they have locked, and who waits for them.
///
/// How they lock is a switch of the project; record 0034 has the table. Nobody waits within a
/// transaction of the store, and nobody's thread is held: waiting is suspended.
///
/// It owns locks and waiters behind one lock of its own, which nobody holds while waiting, and may
/// be called on any thread. A transaction is here from `begin` until it is ended, or has been idle
/// for 60 seconds of the machine's clock. At most `Limit.openTransactions` are open.
final class Transactions: Sendable {
  private struct State {
    var open: [UInt64: OpenTransaction] = [:]
    var expiries = ExpiryQueue()
    /// How many there have ever been: an id with a number up to this one was given out.
    var last: UInt64 = 0
    var locks = Locks()
    var waiters = LockWaiters()
  }

  /// The machine's: locks must go in the end, although the clock of a project may stand still.
  private let clock: any HearthClock
  /// Ids begin with it: those of another start are not understood. Eight random bytes.
  private let prefix: Data
  private let state = Mutex(State())

  init(clock: any HearthClock, random: Randomness) {
    self.clock = clock
    prefix = Data(random.bytes(8))
  }

  // MARK: Beginning and ending

  /// Begins a transaction. The time is that of the project's clock in microseconds, where
  /// production's limits of age hold; nil where only the machine's clock counts.
  ///
  /// - Throws: RESOURCE_EXHAUSTED when too many are open.
  func begin(
    _ mode: OpenTransaction.Mode, concurrency: Switches.TransactionMode, isRetry: Bool = false,
    in database: DatabaseName, at time: Int64? = nil
  ) throws(APIError) -> OpenTransaction {
    let now = clock.now
    let transaction = state.withLock { state -> OpenTransaction? in
      Self.forgetIdle(&state, now: now)
      guard state.open.count < Limit.openTransactions.value else { return nil }
      state.last += 1
      var transaction = OpenTransaction(
        number: state.last, id: prefix + withUnsafeBytes(of: state.last.bigEndian) { Data($0) },
        database: database, mode: mode, concurrency: concurrency, isRetry: isRetry, lastUse: now)
      transaction.age = time.map { ($0, $0) }
      state.open[transaction.number] = transaction
      state.expiries.add(transaction.number, at: transaction.expiry)
      return transaction
    }
    guard let transaction else {
      throw APIError(.resourceExhausted, message: Limit.openTransactions.refusal())
    }
    return transaction
  }

  /// Ends what has been idle for too long. No timer does that: each call that could be affected
  /// begins with it.
  private static func forgetIdle(_ state: inout State, now: Timestamp) {
    for number in state.expiries.removeDue(now) {
      guard let transaction = state.open[number] else { continue }
      if transaction.expiry <= now {
        end(number, state: &state)
      } else {
        state.expiries.add(number, at: transaction.expiry)
      }
    }
  }

  /// The number in an id that was given out, whether or not the transaction is still open. An id is
  /// the prefix and a number that counts up, big-endian, so nothing has to be kept of those that
  /// are over.
  private func number(_ id: Data) throws(APIError) -> UInt64 {
    guard id.count == 16, id.starts(with: prefix) else { throw Self.unknown }
    let number = id.dropFirst(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard number > 0, number <= state.withLock(\.last) else { throw Self.unknown }
    return number
  }

  func check(_ id: Data) throws(APIError) { _ = try number(id) }

  /// An open transaction, which is used by that. The time is that of the project's clock in
  /// microseconds, where it counts.
  ///
  /// - Throws: INVALID_ARGUMENT where it is over or of another database; ABORTED where it has lost
  ///   its locks, so that its client runs it again.
  func transaction(
    _ id: Data, in database: DatabaseName, at time: Int64? = nil
  ) throws(APIError) -> OpenTransaction {
    let number = try number(id)
    let now = clock.now
    var isTooOld = false
    let found = state.withLock { state -> OpenTransaction? in
      Self.forgetIdle(&state, now: now)
      // A call for another database does not keep the transaction open.
      guard state.open[number]?.database == database else { return state.open[number] }
      state.open[number]?.lastUse = now
      if let time { isTooOld = state.open[number]?.use(at: time) == false }
      return state.open[number]
    }
    guard let found else { throw Self.closed }
    if isTooOld {
      end(number)
      throw .invalid(Limit.transactionTime.refusal())
    }
    guard found.database == database else { throw Self.unknown }
    if found.isLost {
      end(number)
      throw Self.contention
    }
    return found
  }

  static let unknown = APIError.invalid("Invalid transaction.")
  static let closed = APIError.invalid("Transaction is invalid or closed.")
  static let contention = APIError(
    .aborted, message: "Too much contention on these documents. Please try again.")
  static let lockTimeout = APIError(.aborted, message: "Transaction lock timeout.")

  /// Ends a transaction at its client's wish, also one that is over.
  func rollBack(_ id: Data, in database: DatabaseName) throws(APIError) {
    let number = try number(id)
    guard state.withLock({ $0.open[number]?.database ?? database }) == database else {
      throw Self.unknown
    }
    end(number)
  }

  /// Ends a transaction and wakes those who wait for what it has locked. Harmless when it is over.
  func end(_ number: UInt64) {
    state.withLock { state in Self.end(number, state: &state) }
  }

  private static func end(_ number: UInt64, state: inout State) {
    state.open[number] = nil
    release(number, state: &state)
  }

  private static func release(_ number: UInt64, state: inout State) {
    for lockable in state.locks.release(number) { state.waiters.wake(for: lockable) }
  }

  /// Takes what was read away from all transactions of a database: they cannot succeed any more,
  /// and nobody has to wait for them.
  func lose(_ database: DatabaseName) {
    state.withLock { state in
      for number in state.open.values.filter({ $0.database == database }).map(\.number) {
        state.open[number]?.isLost = true
        Self.release(number, state: &state)
      }
    }
  }

  // MARK: Reading

  /// Locks documents that are about to be read.
  func lock(
    _ paths: [ResourcePath], for transaction: OpenTransaction
  ) async throws(APIError) {
    // In a fixed order: of two that want the same, one gets all of them.
    let sorted = Set(paths).sorted { $0.segments.lexicographicallyPrecedes($1.segments) }
    switch transaction.concurrency {
    case .emulator:
      // When many try again at once, all but one would fail again. They wait for as long as the
      // one that has the turn uses it.
      for path in sorted where transaction.isRetry {
        try await grant(.hold(.turn(path)), to: transaction.number, isOptional: true)
      }
      for path in paths { try await grant(.share(.document(path)), to: transaction.number) }
    case .pessimistic:
      for path in sorted { try await grant(.hold(.document(path)), to: transaction.number) }
    case .optimistic: break
    }
  }

  /// Locks what a query may find, where the transaction locks that at all.
  func lock(_ query: Query, for transaction: OpenTransaction) async throws(APIError) {
    guard transaction.concurrency == .emulator else { return }
    let lockable =
      query.collectionId.map { Lockable.collections(transaction.database, id: $0) }
      ?? .database(transaction.database)
    try await grant(.share(lockable), to: transaction.number)
  }

  /// Notes the versions that were read, which have to be the same at the commit. A read that ends
  /// after its transaction is not noted.
  func recordReads(_ reads: [ResourcePath: Int64?], for number: UInt64) {
    state.withLock { state in
      // The first read is what the client builds on.
      state.open[number]?.reads.merge(reads) { first, _ in first }
    }
  }

  func recordQuery(_ query: Query, result: [ResourcePath: Int64], for number: UInt64) {
    state.withLock { state in state.open[number]?.queries.append((query, result)) }
  }

  // MARK: Writing

  /// Whether somebody else has locked what is to be written. To be asked in the transaction of the
  /// store that writes: who locks later reads later.
  func isLocked(against id: UInt64?, _ paths: () -> [ResourcePath]) -> Bool {
    state.withLock { state in
      // Mostly nothing is locked at all.
      !state.locks.isEmpty && !state.locks.blockers(of: .write(paths()), except: id).isEmpty
    }
  }

  /// Returns when the documents may be free.
  ///
  /// - Throws: ABORTED when they have been locked for too long since that time.
  func waitToWrite(
    _ paths: [ResourcePath], for id: UInt64?, since start: Timestamp
  ) async throws(APIError) {
    try await grant(.write(paths), to: id, since: start)
  }

  // MARK: Waiting

  private enum Attempt {
    case granted
    case failed(APIError)
    case mustWait(Int, AsyncStream<Void>, until: Timestamp)
  }

  /// Returns when the wish is granted, and waits for others before where it has to. A plain write
  /// has no id. `start` is since when the wish is waited for, also in earlier calls; nil is the
  /// present. Without an optional lock the caller goes on when it takes too long.
  ///
  /// - Throws: why the wish cannot be granted. The transaction has ended then, unless the task was
  ///   cancelled.
  private func grant(
    _ wish: LockWish, to id: UInt64?, since start: Timestamp? = nil, isOptional: Bool = false
  ) async throws(APIError) {
    let start = start ?? clock.now
    while true {
      switch attempt(wish, id: id, since: start) {
      case .granted: return
      case .failed(let error):
        if isOptional, error == Self.lockTimeout { return }
        if let id { end(id) }
        throw error
      case .mustWait(let waiter, let signals, let deadline):
        let alarm = Task {
          await clock.wait(until: deadline)
          state.withLock { $0.waiters.wake(waiter) }
        }
        for await _ in signals { break }
        alarm.cancel()
        state.withLock { $0.waiters.remove(waiter) }
        if Task.isCancelled { throw APIError(.aborted, message: "The client is gone.") }
      }
    }
  }

  private func attempt(
    _ wish: LockWish, id: UInt64?, since start: Timestamp
  ) -> Attempt {
    let now = clock.now
    return state.withLock { state in
      Self.forgetIdle(&state, now: now)
      if let id {
        guard let transaction = state.open[id] else { return .failed(Self.closed) }
        if transaction.isLost { return .failed(Self.contention) }
        if transaction.isRetry { Self.overtake(wish, id: id, state: &state) }
      }
      let blockers = state.locks.blockers(of: wish, except: id).compactMap { state.open[$0] }
      guard let first = blockers.min(by: { $0.number < $1.number }) else {
        if let id { state.locks.grant(wish, to: id) }
        return .granted
      }
      // How long to wait is decided by the transaction that has the lock, not by the one that wants
      // it: a plain write has no mode.
      let isPatient = first.concurrency == .pessimistic
      // A turn is waited for as long as it is in use, so the time begins again with each use.
      let begin = if case .hold(.turn) = wish { max(start, first.lastUse) } else { start }
      let deadline = begin + (isPatient ? .seconds(20) : .seconds(2))
      // Those that wait in a circle would wait in vain.
      let others = blockers.map(\.number)
      let isCircle = id.map { state.waiters.isWaited(for: $0, by: others, state.locks) } ?? false
      if now >= deadline || isCircle {
        return .failed(isPatient ? Self.contention : Self.lockTimeout)
      }
      // Registered under the same lock under which the wish was found blocked: an end in between
      // cannot be missed.
      let (signals, signal) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let waiter = state.waiters.add(LockWaiters.Waiter(id: id, wish: wish, signal: signal))
      // A transaction that is forgotten does not call.
      let until = blockers.reduce(deadline) { min($0, $1.expiry) }
      return .mustWait(waiter, signals, until: until)
    }
  }

  /// Makes those lose that are tried for the first time and wait for one that is tried again. It
  /// would lose to one newcomer after the other, until its client gives up.
  private static func overtake(_ wish: LockWish, id: UInt64, state: inout State) {
    for number in state.locks.blockers(of: wish, except: id) {
      guard state.open[number]?.isRetry == false,
        state.waiters.isWaited(for: id, by: [number], state.locks)
      else { continue }
      state.open[number]?.isLost = true
      release(number, state: &state)
      state.waiters.wake(ofTransaction: number)
    }
  }
}
