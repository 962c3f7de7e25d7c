package import HearthFirestoreRules
import Synchronization

/// The rules of each project and of single databases. A project without any is open, as in the
/// official emulator.
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
  }

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
  /// rules.
  package func ruleset(of database: DatabaseName) -> Ruleset? {
    state.withLock {
      $0.databases[database] ?? $0.projects[database.project]
        ?? $0.standardOfDatabases[database.database] ?? $0.standard
    }
  }

  /// Sets the rules of a project. Its databases that have rules of their own keep them.
  package func set(_ ruleset: Ruleset, of project: String) {
    change { $0.projects[project] = ruleset }
  }

  /// The rules of `(default)` are those of the project: the last that were set hold.
  package func set(_ ruleset: Ruleset, of database: DatabaseName) {
    change { state in
      if database.database == "(default)" {
        state.projects[database.project] = ruleset
      } else {
        state.databases[database] = ruleset
      }
    }
  }

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
  func replace(_ project: String, _ ruleset: Ruleset?, _ databases: [String: Ruleset]) {
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
  func observe(_ body: @escaping @Sendable () -> Void) {
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
