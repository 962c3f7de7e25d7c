import HearthSQLite
import Synchronization

/// Settings as they are in the database, so that not every request reads and parses them.
///
/// Settings that a transaction changes are not remembered before it has ended: it may roll back.
/// `ServerFacts` owns it; transactions of all threads use it.
final class SettingsCache: Sendable {
  private static let capacity = 1024

  private struct State {
    var settings: [String: ProjectSettings] = [:]
    /// Those of the settings, which take a while to put together. Each request asks for them, and all
    /// settings of a project take a while to copy, too.
    var switches: [String: Switches] = [:]
    var isChanging = false
  }

  private let state = Mutex(State())

  func settings(of projectId: String) -> ProjectSettings? {
    state.withLock { $0.settings[projectId] }
  }

  func switches(of projectId: String) -> Switches? {
    state.withLock { $0.switches[projectId] }
  }

  func remember(_ settings: ProjectSettings, of projectId: String) {
    state.withLock { state in
      guard !state.isChanging else { return }
      if state.settings.count >= Self.capacity {
        state.settings.removeAll()
        state.switches.removeAll()
      }
      state.settings[projectId] = settings
      state.switches[projectId] = settings.switches
    }
  }

  func forget(_ projectId: String, in transaction: Transaction) {
    state.withLock { state in
      state.settings[projectId] = nil
      state.switches[projectId] = nil
      state.isChanging = true
    }
    transaction.atEnd { [self] in state.withLock { $0.isChanging = false } }
  }
}
