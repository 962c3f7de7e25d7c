package import FirestoreRules
import Synchronization

/// The rules of each project and of single databases. A project without any is open, as in the
/// official emulator.
package final class RulesTable: Sendable {
  private struct State {
    var standard: Ruleset?
    var projects: [String: Ruleset] = [:]
    var databases: [DatabaseName: Ruleset] = [:]
  }

  private let state: Mutex<State>
  /// What the rules of one request may cost, in units of ``RuleBudget``.
  let budget: Int

  /// The standard rules are those of projects that have none of their own.
  package init(standard: Ruleset? = nil, budget: Int = RuleBudget.standard) {
    state = Mutex(State(standard: standard))
    self.budget = budget
  }

  package func ruleset(of project: String) -> Ruleset? {
    state.withLock { $0.projects[project] ?? $0.standard }
  }

  /// Rules of a database come before those of its project, whichever were set last.
  package func ruleset(of database: DatabaseName) -> Ruleset? {
    state.withLock {
      $0.databases[database] ?? $0.projects[database.project] ?? $0.standard
    }
  }

  package func replaceStandard(_ ruleset: Ruleset) {
    state.withLock { $0.standard = ruleset }
  }

  package func set(_ ruleset: Ruleset, of project: String) {
    state.withLock { $0.projects[project] = ruleset }
  }

  package func set(_ ruleset: Ruleset, of database: DatabaseName) {
    state.withLock { $0.databases[database] = ruleset }
  }
}
