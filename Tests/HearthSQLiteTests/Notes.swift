import HearthErrors
import HearthOperations
import HearthSQLite

extension Store {
  /// With the tables of the settings, and one of notes.
  convenience init(directory: String? = nil) throws {
    try self.init(directory: directory, migrations: ProjectSettings.migrations + [notes])
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

extension ProjectTransaction {
  /// Leaves a trace of the project.
  func leaveTrace() throws(APIError) { try save(try settings()) }
}

private let notes = Migration(
  "notes",
  sql: """
    CREATE TABLE notes (id INTEGER PRIMARY KEY, key TEXT NOT NULL, body TEXT NOT NULL);
    CREATE INDEX notes_by_key ON notes (key, id);
    """)

let refusal = APIError(.invalidArgument, detail: "no")
