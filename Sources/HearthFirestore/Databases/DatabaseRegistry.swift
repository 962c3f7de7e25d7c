import HearthErrors
import HearthWire
import Synchronization

/// The databases that somebody has created, changed or deleted through the Admin API, and its
/// operations. All others exist because they have documents.
///
/// It is in memory only, and bounded. A class because it owns them; it may be called on any thread.
final class DatabaseRegistry: Sendable {
  /// As in production, of each project.
  private static let mostDatabases = 100
  private static let mostDeleted = 100
  private static let mostOperations = 100
  private static let mostProjects = 1000

  private struct ProjectState {
    var databases: [String: DatabaseResource] = [:]
    /// The newest last.
    var deleted: [DatabaseResource] = []
    var operations: [(name: String, json: JSON)] = []
  }

  private struct State {
    var projects: [String: ProjectState] = [:]
    var nextOperation = 1
  }

  private let state = Mutex(State())

  func database(_ name: DatabaseName) -> DatabaseResource? {
    state.withLock { $0.projects[name.project]?.databases[name.database] }
  }

  func databases(of project: String) -> [DatabaseResource] {
    state.withLock { $0.projects[project].map { Array($0.databases.values) } ?? [] }
  }

  func deleted(of project: String) -> [DatabaseResource] {
    state.withLock { $0.projects[project]?.deleted ?? [] }
  }

  func deleted(_ name: DatabaseName) -> DatabaseResource? {
    deleted(of: name.project).last { $0.name == name }
  }

  /// Keeps a database, new or changed.
  func keep(_ database: DatabaseResource) throws(APIError) {
    let hasRoom = state.withLock { state in
      let project = database.name.project
      guard state.projects[project] != nil || state.projects.count < Self.mostProjects else {
        return false
      }
      let known = state.projects[project, default: ProjectState()].databases
      guard known[database.name.database] != nil || known.count < Self.mostDatabases else {
        return false
      }
      state.projects[project, default: ProjectState()].databases[database.name.database] = database
      return true
    }
    guard hasRoom else {
      throw APIError(.resourceExhausted, message: "There are too many databases.")
    }
  }

  func delete(_ database: DatabaseResource) {
    let project = database.name.project
    state.withLock { state in
      guard state.projects[project] != nil || state.projects.count < Self.mostProjects else {
        return
      }
      var known = state.projects[project] ?? ProjectState()
      known.databases[database.name.database] = nil
      known.deleted = (known.deleted + [database]).suffix(Self.mostDeleted)
      state.projects[project] = known
    }
  }

  /// Makes an operation on a database itself, whose answer is the database.
  func operation(_ kind: String, on name: DatabaseName, database: JSON) -> JSON {
    let type = "type.googleapis.com/google.firestore.admin.v1."
    let members = [("@type", JSON.string(type + "Database"))] + (database.object?.members ?? [])
    return operation(
      ["@type": .string(type + kind)], on: name, response: .object(JSONObject(members: members)))
  }

  /// Makes an operation that is done at once, and keeps it for a while.
  func operation(_ metadata: JSON, on name: DatabaseName, response: JSON) -> JSON {
    state.withLock { state in
      let id = "\(name)/operations/hearth-\(state.nextOperation)"
      state.nextOperation += 1
      let json = JSON.members([
        "name": .string(id), "metadata": metadata, "done": true, "response": response,
      ])
      guard state.projects[name.project] != nil || state.projects.count < Self.mostProjects else {
        return json
      }
      var operations = state.projects[name.project]?.operations ?? []
      operations.append((id, json))
      state.projects[name.project, default: ProjectState()].operations = operations.suffix(
        Self.mostOperations)
      return json
    }
  }

  func operation(_ name: String, of project: String) -> JSON? {
    state.withLock { $0.projects[project]?.operations.last { $0.name == name }?.json }
  }

  /// - Returns: whether it was there.
  func deleteOperation(_ name: String, of project: String) -> Bool {
    state.withLock { state in
      let before = state.projects[project]?.operations.count ?? 0
      state.projects[project]?.operations.removeAll { $0.name == name }
      return state.projects[project]?.operations.count ?? 0 < before
    }
  }

  func forget(_ project: String) { state.withLock { $0.projects[project] = nil } }
}
