import HearthErrors
package import HearthFirestoreRules
import HearthWire
import Synchronization

/// The rules of each project and of single databases. A project without any is open, as in the
/// official emulator, unless it answers as production.
///
/// It owns the rules, which are not in the store, and may be called on any thread. Its lock is held
/// for a look-up only: rules are evaluated outside of it.
package final class RulesTable: Sendable {
  private struct State {
    /// Of projects that have none of their own; nil where these are open.
    var standard: Ruleset?
    /// Of databases with these ids that have no other rules, whatever their project.
    var standardOfDatabases: [String: Ruleset] = [:]
    var projects: [String: Ruleset] = [:]
    var databases: [DatabaseName: Ruleset] = [:]
    var generation = 0
    /// They stay as long as the table: it is made once for a server.
    var observers: [@Sendable () -> Void] = []
    /// Where somebody was refused for lack of rules.
    var refused: Set<DatabaseName> = []
    var refusalObserver: (@Sendable (DatabaseName) -> Void)?

    func source(of database: DatabaseName) -> Source {
      if database.database == "(default)" {
        return Source(
          own: projects[database.project],
          inherited: standardOfDatabases[database.database] ?? standard)
      }
      if let ofProject = projects[database.project] {
        return Source(own: databases[database], inherited: ofProject, isOfProject: true)
      }
      return Source(
        own: databases[database], inherited: standardOfDatabases[database.database] ?? standard)
    }

    mutating func setOwn(_ ruleset: Ruleset?, of database: DatabaseName) {
      if database.database == "(default)" {
        projects[database.project] = ruleset
      } else {
        databases[database] = ruleset
      }
    }
  }

  /// Of how many databases a refusal for lack of rules is remembered.
  private static let mostRefused = 10_000

  private let state: Mutex<State>
  /// What the rules of one request may cost, in units of ``RuleBudget``.
  let budget: Int

  /// The standard rules are those of projects that have none of their own.
  package init(
    standard: Ruleset? = nil, ofDatabases databases: [String: Ruleset] = [:],
    budget: Int = RuleBudget.standard
  ) {
    state = Mutex(State(standard: standard, standardOfDatabases: databases))
    self.budget = budget
  }

  /// Whether nothing has rules.
  package var isEmpty: Bool {
    state.withLock {
      $0.standard == nil && $0.standardOfDatabases.isEmpty && $0.projects.isEmpty
        && $0.databases.isEmpty
    }
  }

  package func ruleset(of project: String) -> Ruleset? {
    state.withLock { $0.projects[project] ?? $0.standard }
  }

  /// Projects that have rules of their own keep them.
  package func replaceStandard(_ ruleset: Ruleset) { change { $0.standard = ruleset } }

  /// The same for the databases of that id.
  package func replaceStandard(_ ruleset: Ruleset, of database: String) {
    change { $0.standardOfDatabases[database] = ruleset }
  }

  /// Rules of a database come before those of its project. What was set comes before standard
  /// rules. In production the rules of a project are those of `(default)` alone, and each other
  /// database has its own or none.
  package func ruleset(
    of database: DatabaseName, as answers: RuleAnswers = .emulator
  ) -> Ruleset? {
    let isProjects = answers == .emulator || database.database == "(default)"
    return state.withLock {
      $0.databases[database] ?? (isProjects ? $0.projects[database.project] : nil)
        ?? $0.standardOfDatabases[database.database] ?? (isProjects ? $0.standard : nil)
    }
  }

  /// Has the body called with each database where somebody is refused for lack of rules, once.
  package func observeRefusals(_ body: @escaping @Sendable (DatabaseName) -> Void) {
    state.withLock { $0.refusalObserver = body }
  }

  /// What production says where a database has no rules, with the reason for the request log.
  func refusal(withoutRulesOf database: DatabaseName) -> APIError {
    let observer = state.withLock { state in
      let isNews =
        state.refused.count < Self.mostRefused && state.refused.insert(database).inserted
      return isNews ? state.refusalObserver : nil
    }
    observer?(database)
    var error = APIError.denied
    error.explain(
      JSON.members([
        "matched": nil, "allows": [], "reads": [],
        "message": .string(Self.reason(of: database)),
      ]).text)
    return error
  }

  /// Why nobody but administrators gets at a database without rules, and what to do.
  package static func reason(of database: DatabaseName) -> String {
    let id = database.database
    let place =
      id == "(default)"
      ? "with --rules or in firebase.json" : "in firebase.json, under the database \"\(id)\""
    return "\(database) has no security rules, and production refuses every client then. Name a "
      + "rules file \(place), or set rules in the test. With the switch answers=emulator a database "
      + "without rules is open."
  }

  /// Sets the rules of a project. Its databases that have rules of their own keep them.
  package func set(_ ruleset: Ruleset, of project: String) {
    change { $0.projects[project] = ruleset }
  }

  /// The rules of `(default)` are those of the project: the last that were set hold.
  package func set(_ ruleset: Ruleset, of database: DatabaseName) {
    change { $0.setOwn(ruleset, of: database) }
  }

  /// Where the rules of a database come from.
  struct Source {
    /// Those that were set for it, and for `(default)` those of its project.
    var own: Ruleset?
    /// Those that hold without its own: of the project, or of a file.
    var inherited: Ruleset?
    /// Whether `inherited` was set for the project.
    var isOfProject = false
  }

  func source(of database: DatabaseName) -> Source { state.withLock { $0.source(of: database) } }

  /// Sets the rules of a database as long as `isExpected` agrees to those that hold. It is called
  /// under the lock.
  ///
  /// - Returns: whether the rules were set.
  func set(
    _ ruleset: Ruleset, of database: DatabaseName, where isExpected: (Ruleset?) -> Bool
  ) -> Bool {
    var isSet = false
    change { state in
      let source = state.source(of: database)
      guard isExpected(source.own ?? source.inherited) else { return }
      state.setOwn(ruleset, of: database)
      isSet = true
    }
    return isSet
  }

  /// Takes away the rules that were set for a database, and for `(default)` those of its project.
  func remove(of database: DatabaseName) { change { $0.setOwn(nil, of: database) } }

  /// The rules that were set for a project and for its databases, by their ids.
  func own(_ project: String) -> (project: Ruleset?, databases: [String: Ruleset]) {
    state.withLock { state in
      let databases = state.databases.filter { $0.key.project == project }
      return (
        state.projects[project],
        Dictionary(databases.map { ($0.key.database, $0.value) }, uniquingKeysWith: { $1 })
      )
    }
  }

  /// Makes these the rules of a project and of its databases.
  func replace(_ project: String, ruleset: Ruleset?, databases: [String: Ruleset]) {
    change { state in
      state.projects[project] = ruleset
      state.databases = state.databases.filter { $0.key.project != project }
      for (database, ruleset) in databases {
        state.databases[DatabaseName(project: project, database: database)] = ruleset
      }
    }
  }

  /// Another one after each change of any rules, so that those who have asked know that they have
  /// to ask again.
  var generation: Int { state.withLock(\.generation) }

  /// Has the body called after each change, on the thread that made it and outside of the lock.
  package func observe(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.observers.append(body) }
  }

  private func change(_ body: (inout State) -> Void) {
    let observers = state.withLock { state in
      body(&state)
      state.generation += 1
      return state.observers
    }
    for observer in observers { observer() }
  }
}
