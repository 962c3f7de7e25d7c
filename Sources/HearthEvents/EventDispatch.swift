package import HearthCrypto
import HearthErrors
package import HearthFirestore
package import HearthObservation
package import HearthOperations
package import HearthSQLite
package import HearthSettings
package import HearthTriggers
package import HearthWire
package import Logging
package import Synchronization

/// Sends events to functions and webhooks. A write never waits for them: what happens is kept here,
/// and one task matches and delivers it.
///
/// A class because it owns what waits: the inbox, the two queues and the receivers, all in one
/// `Mutex` that is never held while something is sent. Commits, endpoints and the deliveries call
/// it on any thread. Nothing is delivered until ``run()`` is called, and what waits when the server
/// stops is lost.
package final class EventDispatch: CommitObserver {
  /// Something that has happened, before anybody knows who wants it.
  package enum Occurrence: Sendable {
    case commit(ObservedCommit)
    /// Accounts that were made or deleted, as events for functions.
    case users([JSON], project: String)
    /// The number of a message that was captured.
    case message(Int64, project: String)
  }

  /// What waits for functions must not wait for webhooks.
  package enum Way: CaseIterable {
    case functions, webhooks
  }

  /// All that changes. Every access is within the lock.
  package struct State {
    package var inbox: [(occurrence: Occurrence, bytes: Int)] = []
    /// Of the inbox and of what is being looked at.
    var inboxBytes = 0
    /// Whether something was taken out of the inbox and is being looked at.
    var isSorting = false
    /// Whether what happens is ignored.
    var isPaused = false
    /// What did not fit into the inbox since it was empty last.
    var lostOfInbox = 0
    /// The addresses that failed last, of which the log has told.
    package var failing: Set<String> = []
    /// By project, in the order of their registration.
    /// Those that were registered, not those of ``FunctionDirectory``.
    package var triggers: [String: [DocumentTrigger]] = [:]
    package var webhooks: [String: [UsedWebhook]] = [:]
    /// How many webhooks there have been.
    var lastWebhook = 0
    var functionQueue = DeliveryQueue<Delivery>(
      mostBytes: EventLimits.bytesOfAll, mostBytesOfReceiver: EventLimits.bytes,
      mostAtOnce: EventLimits.atOnce, mostOfReceiver: EventLimits.atOnceOfFunction)
    var webhookQueue = DeliveryQueue<Delivery>(
      mostBytes: EventLimits.bytesOfAll, mostBytesOfReceiver: EventLimits.bytes,
      mostAtOnce: EventLimits.atOnce, mostOfReceiver: EventLimits.atOnceOfWebhook)
    /// Those in `pause`, each of which is finished once.
    var idleWaiters: [AsyncStream<Void>.Continuation] = []
  }

  package let server: ServerFacts
  package let store: Store
  package let recorder: CallRecorder
  package let caller: any FunctionCaller
  /// `host:port` of the functions emulator; nil for none.
  package let functionsAddress: String?
  /// Nil without a functions emulator.
  package let directory: FunctionDirectory?
  /// How often an event is sent to a function at most, with the first time.
  let functionTries: Int
  package let logger: Logger
  package let random = Randomness()
  package let state = Mutex(State())
  /// Whether anybody may want an event. It is read by each commit, which takes no lock without it.
  package let watching = Atomic(false)
  private let wakeups: AsyncStream<Void>
  /// Wakes the task. One wake-up is kept while it works, which is enough: it looks at everything.
  package let wake: AsyncStream<Void>.Continuation

  package init(
    _ server: ServerFacts, store: Store, recorder: CallRecorder,
    configuration: Configuration, logger: Logger,
    caller: any FunctionCaller
  ) {
    self.server = server
    self.store = store
    self.recorder = recorder
    self.caller = caller
    functionsAddress = configuration.functionsAddress
    directory = configuration.functionsAddress.map {
      FunctionDirectory(
        address: $0, project: server.defaultProject, caller: caller, logger: logger)
    }
    functionTries = 1 + configuration.triggerRetries
    self.logger = logger
    (wakeups, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    watching.store(configuration.functionsAddress != nil, ordering: .relaxed)
    // Weak: the server holds the closure, and this object holds the server.
    server.changes.observe { [weak self] changes in
      for case .messageCaptured(let project, let id) in changes {
        self?.add(.message(id, project: project), of: project, bytes: 200)
      }
    }
  }

  /// Delivers until it is cancelled. Must be called once.
  package func run() async {
    await withDiscardingTaskGroup { group in
      for await _ in wakeups {
        await sort()
        // As many as the queues allow; the end of each wakes the loop again.
        while let (begun, way) = start() {
          group.addTask {
            await self.deliver(begun.item)
            self.end(begun, way: way)
          }
        }
        resumeIdleWaiters()
      }
      group.cancelAll()
    }
    reportLosses()
  }

  // MARK: What happens

  package var isWatching: Bool { watching.load(ordering: .relaxed) }

  /// Called within the lock of the store, so it only puts the commit down.
  package func committed(_ commit: ObservedCommit) {
    let project = commit.database.project
    guard state.withLock({ watches($0, project: project) }) else { return }
    add(.commit(commit), of: project, bytes: commit.changes.reduce(0) { $0 + $1.bytes })
  }

  /// Accounts were made or deleted: the events that functions get.
  package func users(_ events: [JSON], project: String) {
    guard !events.isEmpty else { return }
    let bytes = events.reduce(0) { $0 + 200 + $1.bytes.count }
    add(.users(events, project: project), of: project, bytes: bytes)
  }

  /// Whether a change of a document has a possible receiver.
  private func watches(_ state: State, project: String) -> Bool {
    state.triggers[project] != nil || state.webhooks[project] != nil
      || functionsAddress != nil && project == server.defaultProject
  }

  /// Puts something into the inbox, if there is a receiver and room.
  private func add(_ occurrence: Occurrence, of project: String, bytes: Int) {
    guard isWatching else { return }
    let isNewlyFull = state.withLock { state -> Bool in
      guard !state.isPaused, wants(state, occurrence: occurrence, project: project) else {
        return false
      }
      guard state.inboxBytes + bytes <= EventLimits.bytes else {
        state.lostOfInbox += 1
        return state.lostOfInbox == 1
      }
      state.inbox.append((occurrence, bytes))
      state.inboxBytes += bytes
      return false
    }
    if isNewlyFull {
      logger.warning(
        "Events are dropped: more than \(EventLimits.bytes >> 20) MB of them wait to be processed.")
    }
    wake.yield()
  }

  private func wants(_ state: State, occurrence: Occurrence, project: String) -> Bool {
    switch occurrence {
    case .commit: watches(state, project: project)
    // The functions emulator hears of the users of all projects, as it always has.
    case .users: functionsAddress != nil || state.webhooks[project] != nil
    case .message: state.webhooks[project] != nil
    }
  }
}
