import HearthSQLite
import Synchronization

/// Settings as they are in the database, so that not every request reads and parses them.
///
/// Settings that a transaction changes are not remembered before it has ended: it may roll back.
/// `ServerFacts` owns it; transactions of all threads use it.
final class SettingsCache: Sendable {
  private static let capacity = 1024

  private struct Known {
    let settings: ProjectSettings
    /// The same as those of the settings, which take a while to put together.
    let switches: Switches
  }

  private struct State {
    var known: [String: Known] = [:]
    var isChanging = false
  }

  private let state = Mutex(State())

  func settings(of projectId: String) -> ProjectSettings? {
    state.withLock { $0.known[projectId]?.settings }
  }

  func switches(of projectId: String) -> Switches? {
    state.withLock { $0.known[projectId]?.switches }
  }

  func remember(_ settings: ProjectSettings, of projectId: String) {
    state.withLock { state in
      guard !state.isChanging else { return }
      if state.known.count >= Self.capacity { state.known.removeAll() }
      state.known[projectId] = Known(settings: settings, switches: settings.switches)
    }
  }

  func forget(_ projectId: String, in transaction: Transaction) {
    state.withLock { state in
      state.known[projectId] = nil
      state.isChanging = true
    }
    transaction.atEnd { [self] in state.withLock { $0.isChanging = false } }
  }
}
