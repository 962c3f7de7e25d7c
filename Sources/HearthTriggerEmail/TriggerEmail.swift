package import HearthErrors
package import HearthFirestore
package import HearthMailbox
package import HearthSQLite
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
/// A write of a document does not wait for its mail: its commit keeps a job for it in the store, and
/// one task does the rest. So nothing that was written while this was on is lost by a stop. A class,
/// because it owns the place up to which jobs were looked at, and the leases that have to end.
package final class TriggerEmail: CommitObserver {
  /// How many jobs are read at once.
  private static let batch = 100

  package static let migrations = [MailJob.migration]

  private struct State {
    /// Of the last job that was looked at.
    var lastNumber: Int64 = 0
    /// When the leases of documents end that somebody is sending, or was when the server ended.
    var leases: [ResourcePath: Timestamp] = [:]
  }

  let instances: [TriggerEmailSettings]
  let clocks: ProjectClocks
  let logger: Logger
  let mails: any MailStore
  private let store: Store
  private let state = Mutex(State())
  private let wakeups: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  package init(
    _ instances: [TriggerEmailSettings], store: Store, clocks: ProjectClocks,
    mails: any MailStore, logger: Logger
  ) {
    self.instances = instances
    self.store = store
    self.clocks = clocks
    self.logger = logger
    self.mails = mails
    (wakeups, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard !instances.isEmpty else { return }
    // A lease ends by the clock of its project.
    clocks.observe { [weak self] _ in
      if let self, self.state.withLock({ !$0.leases.isEmpty }) { self.wake.yield() }
    }
  }

  // MARK: Commits

  package var isWatching: Bool { !instances.isEmpty }

  /// The job is there exactly if the commit is.
  package func join(_ commit: ObservedCommit, in transaction: Transaction) throws(APIError) {
    for change in commit.changes where !watching(change.path).isEmpty {
      if change.after.map(MailJob.isWanted) ?? false {
        try MailJob.note(change.path, in: transaction)
      } else {
        try MailJob.remove(change.path, in: transaction)
      }
    }
  }

  package func committed(_ commit: ObservedCommit) {
    if commit.changes.contains(where: { !watching($0.path).isEmpty }) { wake.yield() }
  }

  private func watching(_ path: ResourcePath) -> [TriggerEmailSettings] {
    instances.filter { $0.database == path.database.database && $0.watches(path.segments) }
  }

  // MARK: Start and stop

  /// Takes away the jobs of collections that are not watched in this run: what is written before this
  /// is switched on again is not sent either.
  package func forgetUnwatched() throws(APIError) {
    guard !store.isInMemory else { return }
    try store.transaction { transaction throws(APIError) in
      for path in try MailJob.paths(in: transaction) where watching(path).isEmpty {
        try MailJob.remove(path, in: transaction)
      }
    }
  }

  /// Tells the log of the documents that a stop leaves waiting.
  package func reportWaiting() {
    let count = try? store.transaction { transaction throws(APIError) in
      try MailJob.count(in: transaction)
    }
    guard let count, count > 0 else { return }
    let documents = count == 1 ? "1 document" : "\(count) documents"
    logger.warning(
      store.isInMemory
        ? "\(documents) of Trigger Email were not sent, and are lost without --data."
        : "\(documents) of Trigger Email wait to be sent; the next start with --data goes on.")
  }

  // MARK: Sending

  /// Sends until it is cancelled, first what an earlier run has left.
  package func run(_ firestore: Firestore) async {
    wake.yield()
    // Templates and attachments take long: not on the thread of a socket.
    await withTaskExecutorPreference(globalConcurrentExecutor) {
      var alarm: Task<Void, Never>?
      for await _ in wakeups {
        alarm?.cancel()
        await sendWaiting(firestore)
        alarm = nextLease.map { deadline in
          Task { [clocks, wake] in
            await clocks.machine.wait(until: deadline)
            if !Task.isCancelled { wake.yield() }
          }
        }
      }
      alarm?.cancel()
    }
  }

  /// The machine's time at which the next lease ends; nil where none does by itself.
  private var nextLease: Timestamp? {
    state.withLock(\.leases).compactMap { path, lease -> Timestamp? in
      let setting = clocks.setting(of: path.database.project)
      return setting.stopped == nil ? lease + .milliseconds(-setting.offset) : nil
    }
    .min()
  }

  /// Sends what waits, and what comes meanwhile.
  package func sendWaiting(_ firestore: Firestore) async {
    for path in takeEndedLeases() {
      guard !Task.isCancelled else { return }
      await handle(path, upTo: state.withLock(\.lastNumber), firestore: firestore)
    }
    while let jobs = next(), !jobs.isEmpty {
      for job in jobs {
        guard !Task.isCancelled else { return }
        await handle(job.path, upTo: job.number, firestore: firestore)
        state.withLock { $0.lastNumber = job.number }
      }
    }
  }

  private func takeEndedLeases() -> [ResourcePath] {
    state.withLock { state in
      let ended = state.leases.filter { $0.value <= clocks.now(of: $0.key.database.project) }
      for path in ended.keys { state.leases[path] = nil }
      return ended.keys.sorted { $0.text < $1.text }
    }
  }

  private func next() -> [MailJob]? {
    let last = state.withLock(\.lastNumber)
    do throws(APIError) {
      return try store.transaction { transaction throws(APIError) in
        try MailJob.next(after: last, limit: Self.batch, in: transaction)
      }
    } catch {
      logger.warning("The documents of Trigger Email cannot be read: \(error.message)")
      return nil
    }
  }

  /// `number` is that of its job, which is done if nobody has written the document since.
  private func handle(_ path: ResourcePath, upTo number: Int64, firestore: Firestore) async {
    var lease: Timestamp?
    // Also what later writes of the document have noted, because it would fail again.
    var isLost = false
    for settings in watching(path) {
      let delivery = DocumentDelivery(
        settings: settings, path: path, firestore: firestore, clocks: clocks, mails: mails)
      do throws(APIError) {
        lease = try await delivery.run() ?? lease
      } catch {
        // The document was changed or deleted meanwhile: that is another commit.
        guard error.code != .failedPrecondition, error.code != .notFound else { continue }
        logger.warning("The mail of \(path.text) was not sent: \(error.message)")
        isLost = true
      }
    }
    if let lease {
      state.withLock { $0.leases[path] = lease }
    } else {
      end(path, upTo: isLost ? .max : number)
    }
  }

  private func end(_ path: ResourcePath, upTo number: Int64) {
    do throws(APIError) {
      try store.transaction { transaction throws(APIError) in
        try MailJob.remove(path, upTo: number, in: transaction)
      }
    } catch {
      // It is looked at again after the next start, and found to be sent.
      logger.warning("\(path.text) stays on the list of mails: \(error.message)")
    }
  }
}
