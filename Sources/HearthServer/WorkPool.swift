import HearthCore
import NIOPosix
import Synchronization

/// Runs what takes long, such as reading a large body, beside the threads that read the sockets.
///
/// Its threads are few, so that the event loops keep their share of the processors, and its queue is
/// bounded: work beyond it is refused at once.
final class WorkPool: TaskExecutor {
  /// Its threads last as long as the process.
  static let shared = WorkPool()

  /// Pieces of work that may run or wait at once.
  private let most: Int
  private let threads: NIOThreadPool
  private let admitted = Atomic<Int>(0)

  init(threads count: Int = 2, most: Int = 128) {
    self.most = most
    threads = NIOThreadPool(numberOfThreads: count)
    threads.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    threads.submit { _ in job.runSynchronously(on: executor) }
  }

  /// Runs the body on a thread of the pool, and comes back to the executor of the caller.
  ///
  /// - Throws: `UNAVAILABLE` when too much waits already, or what the body throws.
  func run<Value>(
    _ body: () async throws(APIError) -> Value
  ) async throws(APIError) -> Value {
    guard admitted.add(1, ordering: .relaxed).newValue <= most else {
      admitted.subtract(1, ordering: .relaxed)
      throw APIError(.unavailable, message: "The server has too much to do. Try again later.")
    }
    defer { admitted.subtract(1, ordering: .relaxed) }
    return try await withTaskExecutorPreference(self, operation: body)
  }
}
