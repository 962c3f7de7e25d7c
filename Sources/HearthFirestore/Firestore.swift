import HearthCrypto
package import HearthErrors
import HearthFirestoreProtos
package import HearthOperations
package import HearthSQLite
package import HearthTime
import HearthWire
import SwiftProtobuf
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds out who calls, once it is known which database is meant.
package typealias CallerResolution =
  @Sendable (DatabaseName) async throws(APIError) ->
  FirestoreCaller

/// Firestore, without a transport: each RPC is a method that takes and returns its messages.
package final class Firestore: Sendable {
  let store: Store
  let clocks: ProjectClocks
  let log: CommitLog
  let transactions: Transactions
  /// The switches of a project. Not to be asked for in a transaction of the store, which may have to
  /// read them.
  let switches: @Sendable (String) -> Switches
  package let rules: RulesTable
  /// Where rules are evaluated that cost more than a transaction of the store may take.
  let rulesPool = WorkPool("evaluating rules", threads: 2, places: 126)
  /// Where queries go on that read more than one transaction of the store should. One thread: they
  /// would only wait for each other.
  let queryPool = WorkPool("reading many documents", threads: 1, places: 126)
  package let timeToLive = TimeToLive()
  /// Whether a commit is to fail, because a test wants that.
  let contends: @Sendable (DatabaseName, FirestoreCaller) -> Bool
  let commitLimits: CommitLimits
  package let indexes: IndexTable
  let databases = DatabaseRegistry()
  /// The start of the server, in microseconds since 1970: the creation time of databases whose own is
  /// not known.
  let begin: Int64
  private let observer: (any CommitObserver)?
  let random = Randomness()
  /// Changes with every start: a resume token of an earlier one is not understood.
  let instance: [UInt8]

  package init(
    store: Store, clocks: ProjectClocks, rules: RulesTable, indexes: IndexTable = IndexTable(),
    history: HistoryBounds = HistoryBounds(), observer: (any CommitObserver)? = nil,
    switches: @escaping @Sendable (String) -> Switches = { _ in
      Switches.Profile.emulator.switches
    },
    indexing: (@Sendable (DatabaseName, String) -> GroupIndexing)? = nil,
    contends: @escaping @Sendable (DatabaseName, FirestoreCaller) -> Bool = { _, _ in false }
  ) throws(APIError) {
    self.store = store
    self.clocks = clocks
    begin = clocks.machineMicroseconds
    self.rules = rules
    self.indexes = indexes
    self.observer = observer
    self.switches = switches
    self.contends = contends
    commitLimits = CommitLimits(
      indexing: indexing ?? { GroupIndexing(indexes.configuration(of: $0), group: $1) })
    indexes.follow { [timeToLive] in timeToLive.replace(standard: $0.standard, own: $0.own) }
    transactions = Transactions(clock: clocks.machine, random: random)
    instance = random.bytes(8)
    let start = clocks.machineMicroseconds
    let last = try store.transaction { transaction throws(APIError) in
      let documents = Documents(transaction)
      // A run that was killed may have left some.
      while try documents.discardStaged(Documents.stagingPrefix, limit: 1000) {}
      return try documents.lastCommitTimes()
    }
    log = CommitLog(history, startingAfter: last) { database in
      // A run before this one may have had documents, of which memory keeps nothing.
      guard store.isInMemory else { return 0 }
      let setting = clocks.setting(of: database.project)
      let moved = start &+ min(0, setting.offset) &* 1000
      return min(moved, setting.stopped.map { $0.milliseconds &* 1000 } ?? moved)
    }
    // Listeners are judged by the new rules at once.
    rules.observe { [log] in log.tick() }
    clocks.observe { [timeToLive] project in timeToLive.reconsider(project) }
  }

  /// How much listeners have done to follow commits, as a number that no machine changes.
  package var listenSteps: Int { log.steps.count }

  /// Microseconds.
  func now(of database: DatabaseName) -> Int64 { clocks.microseconds(of: database.project) }

  func read<Result>(
    _ body: (Documents) throws(APIError) -> Result
  ) throws(APIError) -> Result {
    try store.transaction { transaction throws(APIError) in try body(Documents(transaction)) }
  }

  /// The latest time that a reader was given. Commits come later, even where the clock is frozen.
  private let lastReadTimes = Mutex<[DatabaseName: Int64]>([:])

  /// A time at which everything that was committed is seen, and nothing else.
  func readTime(_ documents: Documents, of database: DatabaseName) throws(APIError) -> Int64 {
    let time = max(try documents.lastCommitTime(of: database), now(of: database))
    guard time < Documents.endOfTime else { return time }
    return lastReadTimes.withLock { times in
      let last = max(times[database] ?? 0, time)
      times[database] = last
      return last
    }
  }

  /// Commits what the body does, at one time, and tells listeners; what a caller has written, the
  /// observer too.
  func commit<Result>(
    in database: DatabaseName, by caller: FirestoreCaller? = nil,
    _ body: (WriteApplication) throws(APIError) -> (result: Result, effects: [DocumentEffect])
  ) throws(APIError) -> (result: Result, time: Int64) {
    try store.transaction { transaction throws(APIError) in
      let documents = Documents(transaction)
      let time = try commitTime(documents, of: database)
      let application = WriteApplication(documents: documents, database: database, time: time)
      let (result, all) = try body(application)
      let effects = all.filter(\.isChange)
      var observed: ObservedCommit?
      if let caller, let observer, observer.isWatching {
        observed = ObservedCommit(database, time: time, by: caller, effects: effects)
        if let observed { try observer.join(observed, in: transaction) }
      }
      return (result, time, effects, observed)
    } committed: { result, time, effects, observed in
      if !effects.isEmpty {
        self.log.append(
          database, time: time, arrival: self.clocks.machineMicroseconds, effects: effects)
        self.timeToLive.note(database, effects: effects)
        if let observed { self.observer?.committed(observed) }
      }
      return (result, time)
    }
  }

  /// After every commit before, and after every time that a reader was given.
  func commitTime(
    _ documents: Documents, of database: DatabaseName
  ) throws(APIError) -> Int64 {
    let read = lastReadTimes.withLock { $0[database] ?? 0 }
    return try documents.nextCommitTime(of: database, max(now(of: database), read + 1))
  }

  /// Drops all documents of a database with all that is known of its past, and gives the memory
  /// back. Listeners hear of it.
  package func clear(_ database: DatabaseName) async throws(APIError) {
    // It takes as long as there are documents: not on the thread of a socket.
    try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(APIError) in
      try store.transaction { transaction throws(APIError) in
        try clear(database, in: transaction)
      } committed: {
        self.cleared([$0])
      }
      store.giveMemoryBack()
    }
  }

  /// A database whose documents a transaction has dropped.
  package struct Cleared: Sendable {
    fileprivate let database: DatabaseName
    /// Of the commit, in microseconds.
    fileprivate let time: Int64
  }

  private func clear(
    _ database: DatabaseName, in transaction: Transaction
  ) throws(APIError) -> Cleared {
    let documents = Documents(transaction)
    let time = try commitTime(documents, of: database)
    try documents.clear(database)
    return Cleared(database: database, time: time)
  }

  /// Drops all documents of a project in a transaction that does more. After its commit,
  /// `cleared(_:)` is to be called.
  package func clear(
    allOf project: String, in transaction: Transaction
  ) throws(APIError) -> [Cleared] {
    let databases = try transaction.all(
      "SELECT DISTINCT database FROM firestore_collections WHERE project = ?", arguments: [project]
    ) { $0[0] as String }
    return try Set(databases + ["(default)"]).sorted().map { database throws(APIError) in
      try clear(DatabaseName(project: project, database: database), in: transaction)
    }
  }

  /// Drops what is known of the past of databases. Listeners hear of it.
  package func cleared(_ databases: [Cleared]) {
    for cleared in databases {
      log.clear(
        cleared.database, at: cleared.time, arrival: clocks.machineMicroseconds)
      transactions.lose(cleared.database)
    }
  }
}
