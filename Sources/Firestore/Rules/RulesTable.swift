package import FirestoreRules
import Synchronization

/// The rules of each project. A project without any is open, as in the official emulator.
package final class RulesTable: Sendable {
  private struct State {
    var standard: Ruleset?
    var projects: [String: Ruleset] = [:]
  }

  private let state: Mutex<State>

  /// - Parameter standard: the rules of projects that have none of their own.
  package init(standard: Ruleset? = nil) { state = Mutex(State(standard: standard)) }

  package func ruleset(of project: String) -> Ruleset? {
    state.withLock { $0.projects[project] ?? $0.standard }
  }

  package func replaceStandard(_ ruleset: Ruleset) {
    state.withLock { $0.standard = ruleset }
  }

  package func set(_ ruleset: Ruleset, of project: String) {
    state.withLock { $0.projects[project] = ruleset }
  }
}
