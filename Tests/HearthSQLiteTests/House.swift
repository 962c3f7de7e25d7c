import Foundation
import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire

extension Store {
  /// With the tables of the settings, and one of notes.
  convenience init(directory: String? = nil) throws {
    try self.init(directory: directory, migrations: ProjectSettings.migrations + [notes])
  }

  /// Runs the body in one transaction on a project.
  func inProject<Value>(
    _ projectId: String = "demo", _ server: ServerFacts = ServerFacts(),
    _ body: (ProjectTransaction) throws(APIError) -> Value
  ) throws(APIError) -> Value {
    try transaction { transaction throws(APIError) in
      try body(
        ProjectTransaction(transaction, projectId: projectId, tenantId: nil, server: server))
    }
  }

  /// The projects that have settings.
  var projects: [String] {
    get throws(APIError) {
      try transaction { transaction throws(APIError) in
        try ProjectSettings.projectIds(in: transaction)
      }
    }
  }
}

extension ServerFacts {
  /// The facts of a server that has just started.
  convenience init() {
    self.init(
      defaultProject: "demo", profile: .emulator, clock: ManualClock(), functions: NoFunctions(),
      sendsUserEvents: false)
  }
}

extension ProjectTransaction {
  /// Leaves a trace of the project.
  func leaveTrace() throws(APIError) { try save(try settings()) }
}

/// A directory of its own for a test, gone when the test is over.
func withDirectory<Value>(_ body: (String) throws -> Value) throws -> Value {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "hearth-store-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.path)
}

private let notes = Migration(
  "notes",
  """
  CREATE TABLE notes (id INTEGER PRIMARY KEY, key TEXT NOT NULL, body TEXT NOT NULL);
  CREATE INDEX notes_by_key ON notes (key, id);
  """)

let refusal = APIError(.invalidArgument, "no")

/// No function is ever called from a store.
private struct NoFunctions: FunctionCaller {
  func send(
    _ request: FunctionRequest, within timeout: Duration
  ) async throws(FunctionFailure) -> FunctionReply {
    throw .unreachable(reason: "there are no functions here")
  }
}
