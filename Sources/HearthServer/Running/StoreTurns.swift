import HearthErrors
import HearthOperations
import HearthSQLite
import NIOCore
import NIOPosix
import Synchronization

/// Has the requests that one thread has read go to the store together.
///
/// The store lets in one at a time. Threads that come for each request by itself find it taken more
/// often than not, and to fall asleep and be woken costs a fifth of what the request does. Those
/// that have come together go in together, and share a transaction: record 0023.
final class StoreTurns: Sendable {
  /// What waits for the next turn of one thread.
  private final class Line: Sendable {
    private let work = Mutex<[SharedWork]>([])

    /// Whether there was none before.
    func add(_ more: SharedWork) -> Bool {
      work.withLock { work in
        work.append(more)
        return work.count == 1
      }
    }

    func removeAll() -> [SharedWork] {
      work.withLock { work in
        defer { work = [] }
        return work
      }
    }
  }

  private let store: Store
  private let loops = MultiThreadedEventLoopGroup.singleton
  private let lines: [ObjectIdentifier: Line]

  init(_ store: Store) {
    self.store = store
    lines = Dictionary(
      uniqueKeysWithValues: loops.makeIterator().map { (ObjectIdentifier($0), Line()) })
  }

  /// Runs the body when the requests that were read with this one have come as far, and the store is
  /// free. Only what needs the store should be in it: the others wait.
  ///
  /// - Parameter body: may run a second time, when all that it wrote has been undone; see
  ///   `SharedWork`. All else that it wants done belongs into its outbox.
  /// - Returns: how the body ended, and its outbox, of the run that counts.
  func transaction<Value: Sendable>(
    _ body: @escaping @Sendable (Transaction) -> (Result<Value, APIError>, Outbox)
  ) async -> (Result<Value, APIError>, Outbox) {
    await withCheckedContinuation { continuation in
      add(
        SharedWork { transaction in
          let made = body(transaction)
          return SharedWork.Attempt(made.0) { continuation.resume(returning: made) }
        } failing: { error in
          continuation.resume(returning: (.failure(error), Outbox()))
        })
    }
  }

  private func add(_ work: SharedWork) {
    // On a thread of a loop that is its own.
    let loop = loops.any()
    guard let line = lines[ObjectIdentifier(loop)] else { return store.run([work]) }
    guard line.add(work) else { return }
    // Behind those that are on their way through this thread.
    loop.execute { [store] in store.run(line.removeAll()) }
  }
}
