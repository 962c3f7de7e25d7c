import Synchronization

/// How much of the past is kept.
package struct HistoryBounds: Sendable {
  /// Bytes of all databases together. With no room left, nothing else counts.
  package var bytes = 64 << 20
  /// Seconds for which a commit stays while there is room: resume tokens and read times.
  package var seconds: Int64 = 3600
  /// Changes of a database that stay even when they are older.
  package var changes = 20_000

  package init() {}
}

/// The latest commits of each database, in order: what listeners read at their own pace, and what
/// reads of the recent past are made of.
///
/// A listener keeps only its place in here. It cannot hold up a writer, and one that falls behind
/// the oldest commit starts again from a query. The log owns the commits; writers add to it in their
/// transaction, so that its order is that of the store, and readers may be on any thread.
final class CommitLog: Sendable {
  fileprivate struct State {
    var databases: [DatabaseName: DatabaseHistory]
    var bytes = 0
    var nextListener = 0
    var listeners: [Int: @Sendable () -> Void] = [:]
    /// Whether a task is about to wake all of them.
    var isWaking = false
    /// What was read last. Most often many listeners read the same, one after the other.
    var lastRead: ReadCommits?
  }

  /// Commits as they were handed out.
  fileprivate struct ReadCommits {
    let database: DatabaseName
    let place: Int
    let next: Int
    /// Whether more commits were left out.
    let isFull: Bool
    let commits: [LoggedCommit]

    /// What has more bytes is not kept for the next reader.
    static let most = 8 << 20
  }

  let steps = ListenSteps()
  private let bounds: HistoryBounds
  private let state: Mutex<State>
  /// The time before which a database without commits had no documents, in microseconds.
  private let beginning: @Sendable (DatabaseName) -> Int64

  /// Of the commits of earlier runs, only the times of the last ones are known. Of a database
  /// without any, nothing is known before its beginning, in microseconds.
  init(
    _ bounds: HistoryBounds, startingAfter times: [DatabaseName: Int64],
    beginning: @escaping @Sendable (DatabaseName) -> Int64
  ) {
    self.bounds = bounds
    state = Mutex(State(databases: times.mapValues { DatabaseHistory(forgotten: $0) }))
    self.beginning = beginning
  }

  // MARK: Writing

  /// Adds a commit that came in at that time of the machine, in microseconds. To be called in the
  /// order of commits.
  func append(
    _ database: DatabaseName, time: Int64, arrival: Int64, effects: [DocumentEffect]
  ) {
    let logged = effects.map { LoggedEffect($0) }
    let size = logged.reduce(0) { $0 + $1.bytes }
    state.withLock { state in
      state.change(database) { history in
        history.append(time: time, arrival: arrival, logged, bytes: size)
        dropOld(&history, now: arrival)
      }
      if state.bytes > bounds.bytes { makeRoom(&state, for: database) }
    }
    tick()
  }

  private func dropOld(_ history: inout DatabaseHistory, now: Int64) {
    let floor = now - bounds.seconds * 1_000_000
    history.dropSealed(until: floor)
    // Both bounds have to be passed: a commit stays while it is young or one of the latest.
    while history.changes > bounds.changes, history.count > 1,
      let arrival = history.oldestArrival, arrival < floor
    {
      history.dropFirst()
    }
  }

  /// The databases that hold most lose the older half, so that one that writes a lot takes nothing
  /// from one that does not.
  private func makeRoom(_ state: inout State, for newest: DatabaseName) {
    let goal = bounds.bytes / 8 * 7
    let largest = state.databases.sorted { $0.value.bytes > $1.value.bytes }.map(\.key)
    // A second time round only if halves were not enough.
    for round in 0..<2 {
      for database in largest where state.bytes > goal {
        state.change(database) { history in
          let wanted = round == 0 ? history.bytes / 2 : 0
          history.dropSealed()
          // The newest commit has not been read by anybody.
          while history.bytes > wanted, history.count > (database == newest ? 1 : 0) {
            history.dropFirst()
          }
        }
      }
    }
  }

  /// Forgets all commits of a database whose documents have been dropped, or replaced by those of a
  /// snapshot. Listeners ask again, and after a restore they begin again. `time` is by the clock of the
  /// project and `arrival` by that of the machine, both in microseconds.
  func clear(
    _ database: DatabaseName, at time: Int64, arrival: Int64, isRestore: Bool = false
  ) {
    state.withLock { state in
      state.change(database) {
        $0.dropAll(until: time, arrival: arrival, isRestore: isRestore)
      }
      if state.lastRead?.database == database { state.lastRead = nil }
    }
    tick()
  }

  // MARK: Reading

  /// About the memory that all commits take.
  var bytes: Int { state.withLock { $0.bytes } }

  /// The place after the newest commit of a database.
  func end(of database: DatabaseName) -> Int {
    state.withLock { $0.databases[database]?.end ?? 0 }
  }

  /// How often the documents of a database have become those of a snapshot.
  func restores(of database: DatabaseName) -> Int {
    state.withLock { $0.databases[database]?.restores ?? 0 }
  }

  /// About so many bytes are handed out at once: the reader may be slow.
  private static let portion = 1 << 20

  /// Some commits of a database from a place on, and the next place, which is that place when there
  /// are none; nil when some of them are forgotten.
  func commits(of database: DatabaseName, from place: Int) -> (commits: [LoggedCommit], next: Int)?
  {
    var known: [LoggedCommit]?
    let found = state.withLock {
      state -> (entries: [DatabaseHistory.Entry], next: Int, isFull: Bool)? in
      guard let history = state.databases[database] else {
        return place > 0 ? nil : ([], 0, false)
      }
      guard let entries = history.entries(from: place) else { return nil }
      if let last = state.lastRead, last.database == database, last.place == place,
        last.isFull || last.next == place + entries.count
      {
        known = last.commits
        return ([], last.next, last.isFull)
      }
      var room = Self.portion
      let some = entries.prefix { entry in
        defer { room -= entry.bytes }
        // The first one always, however large: a reader must get on.
        return room > 0
      }
      return (Array(some), place + some.count, some.count < entries.count)
    }
    guard let found else { return nil }
    if let known { return (known, found.next) }
    guard !found.entries.isEmpty else { return ([], found.next) }
    var commits: [LoggedCommit] = []
    // Decoded outside of the lock, which writers need.
    for (index, entry) in found.entries.enumerated() {
      let effects = entry.effects.compactMap(\.effect)
      guard effects.count == entry.effects.count else { return nil }
      commits.append(
        LoggedCommit(
          sequence: place + index, time: entry.time, effects: effects, counting: steps))
    }
    if found.entries.reduce(0, { $0 + $1.bytes }) <= ReadCommits.most {
      let read = ReadCommits(
        database: database, place: place, next: found.next, isFull: found.isFull,
        commits: commits)
      state.withLock { $0.lastRead = read }
    }
    return (commits, found.next)
  }

  /// Whether a database did not exist at that time, as far as anybody knows.
  func isBeforeBeginning(_ time: Int64, of database: DatabaseName) -> Bool {
    let beginning = beginning(database)
    return beginning > 0 && time < beginning
  }

  /// The time of the newest commit of a database that had to be forgotten for want of room.
  func cut(of database: DatabaseName) -> Int64? {
    state.withLock { $0.databases[database]?.cut }
  }

  /// The bytes that all commits may take.
  var capacity: Int { bounds.bytes }

  /// Whether every commit of a database after that time is known.
  func reachesBack(to time: Int64, of database: DatabaseName) -> Bool {
    let beginning = beginning(database)
    return state.withLock { time >= $0.databases[database]?.forgotten ?? beginning }
  }

  /// Whether the times of a database's documents tell what has changed after a time, although its
  /// commits may be forgotten.
  func isTimed(_ database: DatabaseName, after time: Int64) -> Bool {
    let beginning = beginning(database)
    return state.withLock { time >= $0.databases[database]?.floor ?? beginning }
  }

  /// The documents of a database that have changed after a time; nil when nobody can tell.
  func changedPaths(of database: DatabaseName, after time: Int64) -> Set<ResourcePath>? {
    entries(of: database, after: time).map { Set($0.lazy.flatMap(\.effects).map(\.path)) }
  }

  /// What stood at a time in each document that has changed since; nil when nobody can tell.
  func states(
    of database: DatabaseName, at time: Int64
  ) -> [ResourcePath: StoredDocument?]? {
    guard let entries = entries(of: database, after: time) else { return nil }
    var states: [ResourcePath: StoredDocument?] = [:]
    // The earliest change after the time has what stood there at the time.
    for effect in entries.lazy.flatMap(\.effects) where states[effect.path] == nil {
      guard let before = effect.stateBefore else { return nil }
      states[effect.path] = .some(before)
    }
    return states
  }

  /// What is known of the databases of a project.
  func histories(of project: String) -> [DatabaseName: DatabaseHistory] {
    state.withLock { $0.databases.filter { $0.key.project == project } }
  }

  private func entries(
    of database: DatabaseName, after time: Int64
  ) -> [DatabaseHistory.Entry]? {
    let beginning = beginning(database)
    return state.withLock { state in
      let history = state.databases[database] ?? DatabaseHistory()
      guard time >= history.forgotten ?? beginning else { return nil }
      // A copy: commits would have to copy all entries while a reader holds a part of the array.
      return Array(history.entries(after: time))
    }
  }

  // MARK: Listeners

  /// So many are woken by the writer itself.
  private static let few = 16

  /// Has that called after commits, and when it is asked to, until ``forget(listener:)``; several
  /// commits may be one call. It is called on any thread, and must only leave word.
  ///
  /// - Returns: the number of the listener.
  func listen(_ tick: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = tick
      return state.nextListener
    }
  }

  func forget(listener number: Int) {
    _ = state.withLock { $0.listeners.removeValue(forKey: number) }
  }

  /// Has all listeners look again.
  ///
  /// Many of them are woken by a task of their own: the answer of the writer, and its next request,
  /// are not queued after theirs, and they are not all woken on the writer's event loop.
  func tick() {
    let few = state.withLock { state -> [@Sendable () -> Void] in
      if state.listeners.count <= Self.few { return Array(state.listeners.values) }
      if !state.isWaking {
        state.isWaking = true
        Task { self.wakeAll() }
      }
      return []
    }
    for listener in few { listener() }
  }

  private func wakeAll() {
    let listeners = state.withLock { state in
      // Before the call: listeners may read the log before a commit that comes from here on.
      state.isWaking = false
      return Array(state.listeners.values)
    }
    for listener in listeners { listener() }
  }
}

extension CommitLog.State {
  /// Changes what is known of a database, and keeps the sum.
  fileprivate mutating func change(
    _ database: DatabaseName, body: (inout DatabaseHistory) -> Void
  ) {
    let before = databases[database]?.bytes ?? 0
    body(&databases[database, default: DatabaseHistory()])
    bytes += (databases[database]?.bytes ?? 0) - before
  }
}
