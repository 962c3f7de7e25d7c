import FirestoreProtos
import Foundation
import HearthCore
import Synchronization

/// What a transaction has read, and may write.
struct OpenTransaction: Sendable {
  enum Mode: Sendable, Equatable {
    case readWrite
    /// Nil reads what is there now.
    case readOnly(at: Int64?)
  }

  let id: [UInt8]
  let database: DatabaseName
  let mode: Mode
  /// Earlier ones wait for later ones and not the other way round; a retry keeps its place.
  var lastUse: ContinuousClock.Instant
  /// The version of each document that was read; nil for one that was missing.
  var reads: [ResourcePath: Int64?] = [:]
  /// The queries that were run, with the names and versions of their results.
  var queries: [(query: Query, result: [ResourcePath: Int64])] = []
}

/// The transactions that are open, and the documents that they hold.
///
/// A read-write transaction holds every document that it reads until it ends: another one waits
/// for it, so that a hundred counters of one document all get their turn. Whoever would wait in a
/// circle is aborted at once. Writes outside of transactions do not wait; a transaction that meets
/// one finds out at its commit, and is aborted. An idle transaction is forgotten.
final class Transactions: Sendable {
  private static let idleTime = Duration.seconds(60)
  /// Production gives up after about as long.
  private static let longestWait = Duration.seconds(20)

  private struct Waiter {
    let id: [UInt8]
    let number: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var open: [[UInt8]: OpenTransaction] = [:]
    var holders: [ResourcePath: [UInt8]] = [:]
    var waiters: [ResourcePath: [Waiter]] = [:]
    var waitingFor: [[UInt8]: ResourcePath] = [:]
    var nextWaiter = 0
    /// Those that have failed: their clients still roll them back.
    var failed: Set<[UInt8]> = []
  }

  private let state = Mutex(State())

  func begin(
    _ options: TransactionOptions, in database: DatabaseName, random: Randomness
  ) -> OpenTransaction {
    let mode: OpenTransaction.Mode
    switch options.mode {
    case .readOnly(let readOnly)?:
      if case .readTime(let time)? = readOnly.consistencySelector {
        mode = .readOnly(at: time.microseconds)
      } else {
        mode = .readOnly(at: nil)
      }
    default: mode = .readWrite
    }
    let transaction = OpenTransaction(
      id: random.bytes(16), database: database, mode: mode, lastUse: .now)
    state.withLock { state in
      Self.forgetIdle(&state)
      state.open[transaction.id] = transaction
    }
    return transaction
  }

  private static func forgetIdle(_ state: inout State) {
    let limit = ContinuousClock.now - idleTime
    for transaction in state.open.values where transaction.lastUse < limit {
      end(transaction.id, &state)
    }
  }

  func transaction(_ id: Data, in database: DatabaseName) throws(APIError) -> OpenTransaction {
    let id = [UInt8](id)
    let found = state.withLock { state -> OpenTransaction? in
      Self.forgetIdle(&state)
      state.open[id]?.lastUse = .now
      return state.open[id]
    }
    guard let found, found.database == database else { throw Self.expired }
    return found
  }

  static let expired = APIError(
    .invalidArgument, message: "The referenced transaction has expired or is no longer valid.")

  static let contention = APIError(
    .aborted,
    message: "Too much contention on these documents. Please try again.")

  /// Holds the documents for a transaction, one after the other in a fixed order.
  func hold(_ paths: [ResourcePath], for id: [UInt8]) async throws(APIError) {
    for path in Set(paths).sorted(by: { $0.segments.lexicographicallyPrecedes($1.segments) }) {
      try await hold(path, for: id)
    }
  }

  private enum Attempt { case held, gone, circle, mustWait }

  private func hold(_ path: ResourcePath, for id: [UInt8]) async throws(APIError) {
    let deadline = ContinuousClock.now + Self.longestWait
    while true {
      let attempt = state.withLock { state -> Attempt in
        Self.forgetIdle(&state)
        guard state.open[id] != nil else { return .gone }
        guard let holder = state.holders[path], holder != id else {
          state.holders[path] = id
          return .held
        }
        return Self.isCircle(from: holder, to: id, state) ? .circle : .mustWait
      }
      switch attempt {
      case .held: return
      case .gone: throw Self.expired
      case .circle:
        fail(id)
        throw Self.contention
      case .mustWait:
        guard ContinuousClock.now < deadline else {
          fail(id)
          throw Self.contention
        }
        await wait(for: path, id)
      }
    }
  }

  /// Whether the holder waits, perhaps over others, for the one that wants to wait for it.
  private static func isCircle(from holder: [UInt8], to id: [UInt8], _ state: State) -> Bool {
    var current = holder
    for _ in 0...state.open.count {
      guard let path = state.waitingFor[current], let next = state.holders[path] else {
        return false
      }
      if next == id { return true }
      current = next
    }
    return true
  }

  /// Returns when the document may be free, and after a second in any case: its holder may have
  /// been forgotten. A second of the machine's: a real client waits, and a project's clock may stand.
  private func wait(for path: ResourcePath, _ id: [UInt8]) async {
    let number = state.withLock { state -> Int in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let alarm = Task {
      try? await Task.sleep(for: .seconds(1))
      wake(path, number)
    }
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state -> Bool in
        guard state.holders[path] != nil else { return true }
        state.waitingFor[id] = path
        state.waiters[path, default: []].append(
          Waiter(id: id, number: number, continuation: continuation))
        return false
      }
      if isFree { continuation.resume() }
    }
    alarm.cancel()
  }

  private func wake(_ path: ResourcePath, _ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters[path]?.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      let waiter = state.waiters[path]?.remove(at: index)
      if let waiter { state.waitingFor[waiter.id] = nil }
      return waiter
    }
    waiter?.continuation.resume()
  }

  func recordReads(_ reads: [ResourcePath: Int64?], for id: [UInt8]) {
    state.withLock { state in
      // The first read is what the client builds on.
      state.open[id]?.reads.merge(reads) { first, _ in first }
    }
  }

  func recordQuery(_ query: Query, _ result: [ResourcePath: Int64], for id: [UInt8]) {
    state.withLock { state in state.open[id]?.queries.append((query, result)) }
  }

  /// Ends a transaction that cannot succeed any more; others need not wait for it.
  func fail(_ id: [UInt8]) {
    state.withLock { state in
      Self.end(id, &state)
      if state.failed.count >= 10_000 { state.failed.removeAll() }
      state.failed.insert(id)
    }
  }

  /// Ends a transaction at its client's wish, also one that has failed.
  func rollBack(_ id: Data, in database: DatabaseName) throws(APIError) {
    if state.withLock({ $0.failed.remove([UInt8](id)) }) != nil { return }
    end(try transaction(id, in: database).id)
  }

  func end(_ id: [UInt8]) {
    state.withLock { state in Self.end(id, &state) }
  }

  private static func end(_ id: [UInt8], _ state: inout State) {
    state.open[id] = nil
    let held = state.holders.filter { $0.value == id }.map(\.key)
    for path in held {
      state.holders[path] = nil
      for waiter in state.waiters.removeValue(forKey: path) ?? [] {
        state.waitingFor[waiter.id] = nil
        waiter.continuation.resume()
      }
    }
  }
}
