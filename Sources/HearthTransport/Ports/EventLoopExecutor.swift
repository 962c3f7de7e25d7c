import NIOCore
import NIOPosix

/// Runs tasks on the threads that read the sockets.
///
/// A hop to another thread and back costs more than most operations do. A task that is on one of
/// these threads stays there. Record 0023 tells why it is not NIO's own way.
package final class EventLoopExecutor: TaskExecutor {
  /// Of the loops that the listeners use. Their threads last as long as the process.
  package static let shared = EventLoopExecutor()

  private let loops = MultiThreadedEventLoopGroup.singleton

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    // `any()` gives the loop of the calling thread where there is one.
    loops.any().execute { job.runSynchronously(on: executor) }
  }

  /// Runs what needs the store, apart from what is done for the request before and afterwards.
  ///
  /// The thread's other requests catch up first and go on together after it, so that all of them
  /// are read, then carried out, then answered. Running each request to completion causes more
  /// contention for the store's lock, and wakes a client for each reply, which then competes for
  /// the processor.
  ///
  /// Each `yield` puts the task at the end of its loop's queue. It counts on the task's running on
  /// this executor; elsewhere it is only a detour.
  package static func stage<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    await Task.yield()
    let value = try await body()
    await Task.yield()
    return value
  }
}
