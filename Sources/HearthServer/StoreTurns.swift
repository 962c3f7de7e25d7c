import HearthStore
import NIOCore
import NIOPosix
import Synchronization

/// Has the requests that one thread has read go to the store together.
///
/// The store lets in one at a time. Threads that come for each request by itself find it taken more
/// often than not, and to fall asleep and be woken costs a fifth of what the request does. Those
/// that have come together go in together: record 0023.
final class StoreTurns: Sendable {
  private typealias Work = @Sendable () -> Void

  /// What waits for the next turn of one thread.
  private final class Line: Sendable {
    private let work = Mutex<[Work]>([])

    /// Whether there was none before.
    func add(_ more: @escaping Work) -> Bool {
      work.withLock { work in
        work.append(more)
        return work.count == 1
      }
    }

    func removeAll() -> [Work] {
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

  /// Does the work when the requests that were read with this one have come as far, and the store
  /// is free. Only what needs the store should be in it: the others wait.
  func take<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      add { continuation.resume(returning: work()) }
    }
  }

  private func add(_ work: @escaping Work) {
    // On a thread of a loop that is its own.
    let loop = loops.any()
    guard let line = lines[ObjectIdentifier(loop)] else { return work() }
    guard line.add(work) else { return }
    // Behind those that are on their way through this thread.
    loop.execute { [store] in
      store.hold {
        for work in line.removeAll() { work() }
      }
    }
  }
}
