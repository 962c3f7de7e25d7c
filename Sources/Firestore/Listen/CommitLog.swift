import Synchronization

/// A commit as listeners hear of it.
struct LoggedCommit: Sendable {
  let sequence: Int
  let database: DatabaseName
  /// In microseconds.
  let time: Int64
  let effects: [DocumentEffect]
}

/// The latest commits, in order: what listeners read at their own pace, and what reads of the
/// recent past are made of.
///
/// A listener keeps only its place in here. It cannot hold up a writer, and one that falls behind
/// the oldest commit starts again from a query.
final class CommitLog: Sendable {
  private static let mostEffects = 20_000

  private struct State {
    var commits: [LoggedCommit] = []
    /// How many commits were dropped at the front of `commits` since the beginning.
    var dropped = 0
    var effects = 0
    var nextListener = 0
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    /// The time of the newest commit of each database that is no longer here.
    var forgotten: [DatabaseName: Int64]
  }

  private let state: Mutex<State>
  private let beginning: @Sendable (DatabaseName) -> Int64

  /// Of the commits of earlier runs, only the times of the last ones are known. Of a database
  /// without any, nothing is known before its beginning, in microseconds.
  init(
    startingAfter times: [DatabaseName: Int64],
    beginning: @escaping @Sendable (DatabaseName) -> Int64
  ) {
    state = Mutex(State(forgotten: times))
    self.beginning = beginning
  }

  /// Adds a commit. To be called in the order of commits.
  func append(_ database: DatabaseName, time: Int64, _ effects: [DocumentEffect]) {
    let listeners = state.withLock { state in
      state.commits.append(
        LoggedCommit(
          sequence: state.dropped + state.commits.count, database: database, time: time,
          effects: effects))
      state.effects += effects.count + 1
      if state.effects > Self.mostEffects { Self.forgetHalf(&state) }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield() }
  }

  private static func forgetHalf(_ state: inout State) {
    var count = 0
    while state.effects > mostEffects / 2, count < state.commits.count - 1 {
      state.effects -= state.commits[count].effects.count + 1
      state.forgotten[state.commits[count].database] = state.commits[count].time
      count += 1
    }
    state.commits.removeFirst(count)
    state.dropped += count
  }

  /// The place behind the newest commit.
  var end: Int { state.withLock { $0.dropped + $0.commits.count } }

  /// A place, and the commits of a database from there on; nil when some of them are forgotten.
  func commits(of database: DatabaseName, from place: Int) -> (commits: [LoggedCommit], next: Int)?
  {
    state.withLock { state in
      guard place >= state.dropped else { return nil }
      let commits = state.commits[(place - state.dropped)...].filter { $0.database == database }
      return (commits, state.dropped + state.commits.count)
    }
  }

  /// The commits of a database after a time; nil when some of them may be forgotten.
  func commits(of database: DatabaseName, after time: Int64) -> [LoggedCommit]? {
    let beginning = beginning(database)
    return state.withLock { state in
      guard time >= state.forgotten[database] ?? beginning else { return nil }
      return state.commits.filter { $0.database == database && $0.time > time }
    }
  }

  /// Ticks after commits; several commits may be one tick.
  func ticks() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }
}
