package import HearthErrors
package import HearthFirestore
package import HearthMailbox
package import HearthTime
package import Logging
import Synchronization

/// Where mails go.
package protocol MailStore: Sendable {
  /// Stores a mail in a project, and gives its number.
  func receive(_ mail: ReceivedMail, in project: String) async throws(APIError) -> Int64
  /// What a mail server would answer about each recipient.
  func replies(to recipients: [String], in project: String) async -> RecipientReplies
}

/// Sends documents as mails, as the extension Trigger Email does.
///
/// A write of a document does not wait for its mail: the path is noted, and one task does the rest. A
/// class, because it owns what waits.
package final class TriggerEmail: CommitObserver {
  /// How many documents may wait.
  private static let most = 10_000

  struct Job: Hashable, Sendable {
    let path: ResourcePath
    /// Which of the instances watches the collection.
    let instance: Int
  }

  private struct State {
    var waiting: [Job] = []
    /// The same as a set: a document that waits already is not noted again.
    var known: Set<Job> = []
    /// Whether a document was dropped, and a warning was logged, since there was room last.
    var isFull = false
  }

  let instances: [TriggerEmailSettings]
  let clocks: ProjectClocks
  let logger: Logger
  let mails: any MailStore
  private let state = Mutex(State())
  private let wakeups: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  package init(
    _ instances: [TriggerEmailSettings], clocks: ProjectClocks, mails: any MailStore,
    logger: Logger
  ) {
    self.instances = instances
    self.clocks = clocks
    self.logger = logger
    self.mails = mails
    (wakeups, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  package var isWatching: Bool { !instances.isEmpty }

  package func committed(_ commit: ObservedCommit) {
    for change in commit.changes where change.after != nil {
      for (index, instance) in instances.enumerated()
      where instance.database == commit.database.database
        && instance.watches(change.path.segments)
      {
        add(Job(path: change.path, instance: index))
      }
    }
  }

  private func add(_ job: Job) {
    let isNewlyFull = state.withLock { state -> Bool in
      guard state.waiting.count < Self.most else {
        defer { state.isFull = true }
        return !state.isFull
      }
      if state.known.insert(job).inserted { state.waiting.append(job) }
      return false
    }
    if isNewlyFull {
      logger.warning("Mails of documents are dropped: \(Self.most) of them wait to be sent.")
    }
    wake.yield()
  }

  private func takeAll() -> [Job] {
    state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
  }

  /// Sends until it is cancelled.
  package func run(_ firestore: Firestore) async {
    // Templates and attachments take long: not on the thread of a socket.
    await withTaskExecutorPreference(globalConcurrentExecutor) {
      for await _ in wakeups { await sendWaiting(firestore) }
    }
  }

  /// Sends what waits, and what comes meanwhile.
  package func sendWaiting(_ firestore: Firestore) async {
    while true {
      let jobs = takeAll()
      guard !jobs.isEmpty else { return }
      for job in jobs {
        guard !Task.isCancelled else { return }
        await handle(job, firestore)
      }
    }
  }

  private func handle(_ job: Job, _ firestore: Firestore) async {
    let delivery = DocumentDelivery(
      settings: instances[job.instance], path: job.path, firestore: firestore, clocks: clocks,
      mails: mails)
    do throws(APIError) {
      try await delivery.run()
    } catch {
      // The document was changed or deleted meanwhile: that is another commit.
      guard error.code != .failedPrecondition, error.code != .notFound else { return }
      logger.warning("The mail of \(job.path.text) was not sent: \(error.message)")
    }
  }
}
