import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// What a project has set of App Check: debug tokens and providers of its apps, and policies.
struct AppCheckRecords: ProjectSubject {
  enum Kind: String {
    /// `APP/ID`.
    case debugToken
    /// `APP/CONFIG`.
    case config
    /// A service that Hearth does not have.
    case service
    /// `SERVICE/ID`.
    case policy
  }

  /// Of one kind in a project.
  private static let most = 1000
  private static let longestRecord = 16_384

  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }

  func record(_ kind: Kind, named name: String) throws(APIError) -> JSONObject? {
    try transaction.first(
      "SELECT record FROM app_check WHERE project = ? AND kind = ? AND name = ?",
      arguments: [projectId, kind.rawValue, name]
    ) { try JSON.parse($0[0] as String).object ?? JSONObject() }
  }

  /// Those whose name begins with what is in front of the slash, by their names.
  func records(
    _ kind: Kind, below parent: String? = nil
  ) throws(APIError) -> [(name: String, record: JSONObject)] {
    let all = try transaction.all(
      "SELECT name, record FROM app_check WHERE project = ? AND kind = ? ORDER BY name",
      arguments: [projectId, kind.rawValue]
    ) { row in
      (name: row[0] as String, record: try JSON.parse(row[1] as String).object ?? JSONObject())
    }
    guard let parent else { return all }
    return all.filter { $0.name.hasPrefix(parent + "/") }
  }

  func save(_ record: JSONObject, as kind: Kind, named name: String) throws(APIError) {
    let text = JSON.object(record).text
    guard text.utf8.count <= Self.longestRecord, name.utf8.count <= 400 else {
      throw APIError(.invalidArgument, message: "The resource is too large.")
    }
    let count = try transaction.count(
      "SELECT count(*) FROM app_check WHERE project = ? AND kind = ? AND name != ?",
      arguments: [projectId, kind.rawValue, name])
    guard count < Self.most else {
      throw APIError(.resourceExhausted, message: "The project has \(count) of these resources.")
    }
    try transaction.execute(
      "INSERT OR REPLACE INTO app_check (project, kind, name, record) VALUES (?, ?, ?, ?)",
      arguments: [projectId, kind.rawValue, name, text])
    publish("appCheck.changed", members: [:])
  }

  func delete(_ kind: Kind, named name: String) throws(APIError) {
    try transaction.execute(
      "DELETE FROM app_check WHERE project = ? AND kind = ? AND name = ?",
      arguments: [projectId, kind.rawValue, name])
    publish("appCheck.changed", members: [:])
  }

  /// The apps that anything is set for.
  func apps() throws(APIError) -> [String] {
    let names = try records(.debugToken).map(\.name) + records(.config).map(\.name)
    return Set(names.compactMap { $0.split(separator: "/").first.map(String.init) }).sorted()
  }

  /// Whether a debug secret is registered for the app. They are UUIDs, whose letters have no case.
  func knows(debugSecret secret: String, of app: String) throws(APIError) -> Bool {
    try records(.debugToken, below: app).contains {
      $0.record["token"]?.string?.lowercased() == secret.lowercased()
    }
  }
}
