package import HearthIndexes
import Synchronization

/// The indexes of each database, what queries have needed of them, and the plans of the latest shapes
/// of queries. It owns all of these, and may be called on any thread.
package final class IndexTable: Sendable {
  /// About what plans and notes may take in memory.
  private static let mostBytes = 16 << 20
  private static let mostNotes = 1000

  fileprivate struct State {
    /// Of databases of every project, by their ids.
    var standard: [String: IndexCatalogue] = [:]
    /// Databases whose file could not be read: what they have is not known.
    var unreadable: Set<String> = []
    var own: [DatabaseName: IndexCatalogue] = [:]
    var used: [DatabaseName: UsedIndexes] = [:]
    var bytes = 0
  }

  fileprivate struct UsedIndexes {
    /// Of the shapes seen; nil for those that have to be planned again.
    var plans: [QueryShape: IndexPlan?] = [:]
    var notes = IndexNotes()
  }

  private let state = Mutex(State())
  private let place = Mutex("http://127.0.0.1:4000")
  private let hearer = Mutex<(@Sendable (DatabaseName, IndexNotes.Missing) -> Void)?>(nil)

  /// Called with the time-to-live fields after each change of the indexes.
  private let follower = Mutex<(@Sendable (TimeToLivePolicies) -> Void)?>(nil)

  package init() {}

  /// Where the console is reached, for links in messages.
  package var console: String {
    get { place.withLock(\.self) }
    set { place.withLock { $0 = newValue } }
  }

  /// Has the body called with each shape of query that misses an index, once.
  package func observe(_ body: @escaping @Sendable (DatabaseName, IndexNotes.Missing) -> Void) {
    hearer.withLock { $0 = body }
  }

  // MARK: Configurations

  package func configuration(of database: DatabaseName) -> IndexConfiguration {
    state.withLock { $0.catalogue(of: database).configuration }
  }

  /// Makes these the indexes of databases that have none of their own; nil stands for a file that
  /// could not be read.
  package func replaceStandard(_ configurations: [String: IndexConfiguration?]) {
    state.withLock { state in
      state.standard = configurations.compactMapValues { $0.map { IndexCatalogue($0) } }
      state.unreadable = Set(configurations.filter { $0.value == nil }.keys)
      state.dropPlans { _ in true }
    }
    notifyFollower()
  }

  /// The same of one database, by its id.
  package func replaceStandard(_ configuration: IndexConfiguration, of database: String) {
    state.withLock { state in
      state.standard[database] = IndexCatalogue(configuration)
      state.unreadable.remove(database)
      state.dropPlans { $0.database == database }
    }
    notifyFollower()
  }

  package func set(_ configuration: IndexConfiguration, of database: DatabaseName) {
    state.withLock { state in
      state.own[database] = IndexCatalogue(configuration)
      state.dropPlans { $0 == database }
    }
    notifyFollower()
  }

  /// Has the body called with the time-to-live fields, now and after each change.
  func follow(_ body: @escaping @Sendable (TimeToLivePolicies) -> Void) {
    follower.withLock { $0 = body }
    notifyFollower()
  }

  private func notifyFollower() {
    guard let body = follower.withLock(\.self) else { return }
    body(
      state.withLock { state in
        TimeToLivePolicies(
          standard: state.standard.mapValues(\.configuration.timeToLiveFields),
          own: state.own.mapValues(\.configuration.timeToLiveFields))
      })
  }

  /// The indexes that were set for databases of a project, by the ids of these.
  package func own(_ project: String) -> [String: IndexConfiguration] {
    state.withLock { state in
      let own = state.own.filter { $0.key.project == project }
      return Dictionary(
        own.map { ($0.key.database, $0.value.configuration) }, uniquingKeysWith: { $1 })
    }
  }

  /// Makes these the indexes that were set for databases of a project.
  package func replace(_ project: String, configurations: [String: IndexConfiguration]) {
    state.withLock { state in
      state.own = state.own.filter { $0.key.project != project }
      for (database, configuration) in configurations {
        state.own[DatabaseName(project: project, database: database)] = IndexCatalogue(
          configuration)
      }
      state.dropPlans { $0.project == project }
    }
    notifyFollower()
  }

  /// Forgets what queries have needed.
  package func forget(_ project: String) {
    state.withLock { state in
      state.used = state.used.filter { $0.key.project != project }
      state.recount()
    }
  }

  // MARK: Plans

  /// Which indexes a query uses or misses; nil where it is refused anyway.
  func plan(_ shape: QueryShape, of database: DatabaseName) -> IndexPlan? {
    let (known, catalogue) = state.withLock { state in
      (state.used[database]?.plans[shape] ?? nil, state.catalogue(of: database))
    }
    if let known { return known }
    guard let plan = try? catalogue.plan(shape) else { return nil }
    let bytes = shape.bytes
    guard bytes < 16_384 else { return plan }
    state.withLock { state in
      if state.bytes + bytes > Self.mostBytes { state.makeRoom(below: Self.mostBytes / 2) }
      let before = state.used[database, default: UsedIndexes()].plans.updateValue(
        plan, forKey: shape)
      if before == nil { state.bytes += bytes }
    }
    return plan
  }

  /// Whether nobody knows which indexes a database has.
  func isUnknown(_ database: DatabaseName) -> Bool {
    state.withLock { $0.own[database] == nil && $0.unreadable.contains(database.database) }
  }

  /// Notes which indexes a query has used, or what it has missed.
  func note(_ use: IndexNotes.Use, of database: DatabaseName) {
    let news = state.withLock { state in
      let (before, count) =
        state.used[database].map { ($0.notes.bytes, $0.notes.missing.count) } ?? (0, 0)
      let room = state.bytes < Self.mostBytes && count < Self.mostNotes
      let news = state.used[database, default: UsedIndexes()].notes.add(use, hasRoom: room)
      state.bytes += (state.used[database]?.notes.bytes ?? before) - before
      return news
    }
    guard let news else { return }
    hearer.withLock(\.self)?(database, news)
  }

  /// The queries of a database that other indexes would not serve, as far as they are remembered.
  package func unserved(
    of database: DatabaseName, by configuration: IndexConfiguration
  ) -> [(shape: QueryShape, plan: IndexPlan)] {
    let shapes = state.withLock { state in state.used[database].map { Array($0.plans.keys) } ?? [] }
    let catalogue = IndexCatalogue(configuration)
    return shapes.compactMap { shape in
      guard let plan = try? catalogue.plan(shape), !plan.isServed else { return nil }
      return (shape, plan)
    }.sorted { $0.shape.description < $1.shape.description }
  }

  /// The databases of a project that queries were judged in.
  package func databases(of project: String) -> [DatabaseName] {
    let names = state.withLock { Array($0.used.keys) }
    return names.filter { $0.project == project }.sorted { $0.database < $1.database }
  }

  package func notes(of database: DatabaseName) -> IndexNotes {
    state.withLock { $0.used[database]?.notes ?? IndexNotes() }
  }
}

/// The fields with the time at which documents are deleted, by collection group.
struct TimeToLivePolicies: Sendable {
  /// Of databases of every project, by their ids.
  let standard: [String: [String: String]]
  let own: [DatabaseName: [String: String]]
}

extension IndexTable.State {
  func catalogue(of database: DatabaseName) -> IndexCatalogue {
    own[database] ?? standard[database.database] ?? IndexCatalogue()
  }

  /// Has queries be planned again, because the indexes have changed.
  mutating func dropPlans(_ isOf: (DatabaseName) -> Bool) {
    for database in used.keys where isOf(database) {
      let plans = used[database]?.plans ?? [:]
      used[database]?.plans = plans.mapValues { _ in nil }
    }
  }

  /// Forgets the plans, and what queries have needed where that is not enough.
  mutating func makeRoom(below most: Int) {
    for database in used.keys { used[database]?.plans = [:] }
    recount()
    if bytes > most { used = [:] }
    recount()
  }

  mutating func recount() {
    bytes = 0
    for database in used.values {
      bytes += database.plans.keys.reduce(0) { $0 + $1.bytes } + database.notes.bytes
    }
  }
}

extension QueryShape {
  /// About what it takes in memory together with its plan.
  fileprivate var bytes: Int {
    var bytes = 512 + collectionGroup.utf8.count
    let paths = (filter?.paths ?? []) + orders.map(\.path) + aggregated
    for path in paths { bytes += 200 + path.segments.reduce(0) { $0 + $1.utf8.count } }
    return bytes
  }
}
