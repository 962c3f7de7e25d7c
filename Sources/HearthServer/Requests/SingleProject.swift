import HearthErrors
import HearthWire
import Logging
import Synchronization

/// What happens when a request names another project than the one that the server was started for.
package enum SingleProjectMode: String, Sendable, CaseIterable {
  /// Serve it silently.
  case noWarning = "no-warning"
  /// Serve it, and say so once for each project that a person has named.
  case warning
  /// Refuse it.
  case error
}

/// Watches over the project ids that requests name. A class, because it remembers which of them it
/// has warned of, in requests of all threads. It remembers 1000 at most and is silent about further
/// ones.
final class SingleProjectCheck: Sendable {
  private let mode: SingleProjectMode
  private let defaultProject: String
  private let logger: Logger
  private let warned = Mutex<Set<String>>([])

  init(mode: SingleProjectMode, defaultProject: String, logger: Logger) {
    self.mode = mode
    self.defaultProject = defaultProject
    self.logger = logger
  }

  /// - Throws: the refusal in the mode ``SingleProjectMode/error``.
  func check(_ projectId: String) throws(APIError) {
    guard mode != .noWarning, projectId != defaultProject, !projectId.isEmpty else { return }
    // A project for each test is not a mistake.
    if mode == .warning, ProjectID.isRandom(projectId) { return }
    let message = """
      Multiple projectIds are not recommended in single project mode. Requested project ID \
      \(projectId), but the emulator is configured for \(defaultProject). To opt-out of single \
      project mode set singleProjectMode to false in firebase.json.
      """
    let isNew = warned.withLock { $0.count < 1000 && $0.insert(projectId).inserted }
    if isNew { logger.warning("\(message)") }
    if mode == .error { throw APIError(.singleProject, message: message) }
  }
}
