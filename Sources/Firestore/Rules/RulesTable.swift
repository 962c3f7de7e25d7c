package import FirestoreRules
import Synchronization

/// The rules of each project. A project without any is open, as in the official emulator.
package final class RulesTable: Sendable {
  private struct State {
    var standard: Ruleset?
    var projects: [String: Ruleset] = [:]
    var generation = 0
    var observers: [@Sendable () -> Void] = []
  }

  private let state: Mutex<State>

  /// - Parameter standard: the rules of projects that have none of their own.
  package init(standard: Ruleset? = nil) { state = Mutex(State(standard: standard)) }

  package func ruleset(of project: String) -> Ruleset? {
    state.withLock { $0.projects[project] ?? $0.standard }
  }

  package func replaceStandard(_ ruleset: Ruleset) { change { $0.standard = ruleset } }

  package func set(_ ruleset: Ruleset, of project: String) {
    change { $0.projects[project] = ruleset }
  }

  /// Another one after each change.
  var generation: Int { state.withLock(\.generation) }

  /// Has the body called after each change.
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
