import HearthErrors
import HearthOperations
import HearthSettings
import HearthWire
import Logging
import Synchronization

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
