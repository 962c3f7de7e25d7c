import Dispatch
package import HearthErrors
import Synchronization

/// A few threads for work that takes long: a thread that reads sockets must not do it, because its
/// other connections would wait.
///
/// Both the threads and the work that may wait for them are bounded. Threads exist only while there is
/// work. It owns its queues; work may be added on any thread.
package final class WorkPool: TaskExecutor {
  /// For what has no pool of its own.
  package static let shared = WorkPool("work", threads: 2, places: 126)

  private struct State {
    /// Pieces of work that run or wait.
    var admitted = 0
    /// The queues that do nothing at the moment, by their index.
    var idle: [Int]
    var waiting: [UnownedJob] = []
  }

  private let name: String
  private let most: Int
  /// One for each thread. Dispatch gives threads of their own to serial queues only: those of a
  /// concurrent one are those of Swift's tasks, as many as processors.
  private let queues: [DispatchQueue]
  private let state: Mutex<State>

  /// - Parameters:
  ///   - name: what the work is, for the refusal.
  ///   - threads: how much is done at the same time.
  ///   - places: how much may wait.
  package init(_ name: String, threads: Int, places: Int) {
    self.name = name
    most = threads + places
    queues = (0..<threads).map { DispatchQueue(label: "hearth.\(name).\($0)") }
    state = Mutex(State(idle: Array(0..<threads)))
  }

  /// Runs the body on one of the threads, as soon as one is free, and comes back to the executor of
  /// the caller.
  ///
  /// - Throws: `UNAVAILABLE` when too much waits already, or what the body throws.
  package func run<Value>(
    _ body: () async throws(APIError) -> Value
  ) async throws(APIError) -> Value {
    let isAdmitted = state.withLock { state in
      guard state.admitted < most else { return false }
      state.admitted += 1
      return true
    }
    guard isAdmitted else {
      throw APIError(.unavailable, detail: "too much \(name) waits already; try again later")
    }
    defer { state.withLock { $0.admitted -= 1 } }
    return try await withTaskExecutorPreference(self, operation: body)
  }

  /// As `run(_:)`, for the last part of an operation: it waits as long as it has to, because a refusal
  /// would throw away what is done already.
  package func finish<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(self, operation: body)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let free: Int? = state.withLock { state in
      guard let free = state.idle.popLast() else {
        state.waiting.append(job)
        return nil
      }
      return free
    }
    guard let free else { return }
    queues[free].async { self.work(job, on: free) }
  }

  private func work(_ first: UnownedJob, on queue: Int) {
    var next: UnownedJob? = first
    while let job = next {
      job.runSynchronously(on: asUnownedTaskExecutor())
      next = state.withLock { state in
        guard !state.waiting.isEmpty else {
          state.idle.append(queue)
          return nil
        }
        return state.waiting.removeFirst()
      }
    }
  }
}
