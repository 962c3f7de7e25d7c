package import HearthErrors
package import HearthOperations
package import HearthSQLite
import HearthWire

/// The people of a project whom its identity providers know.
package struct Personas: ProjectSubject {
  package let project: ProjectTransaction

  package init(in project: ProjectTransaction) { self.project = project }

  private static let most = 1000

  /// Those of the project in the order of their names; where it has none, three who are made up.
  package func all() throws(APIError) -> [Persona] {
    let own = try kept()
    return own.isEmpty ? Self.madeUp : own
  }

  /// Those that somebody has put there.
  package func kept() throws(APIError) -> [Persona] {
    try transaction.all(
      "SELECT name, record FROM personas WHERE project = ? ORDER BY name", arguments: [projectId]
    ) { ($0[0] as String, $0[1] as String) }
    .compactMap { name, record in Self.persona(name, record: record) }
  }

  /// The one of a name, or of an address.
  package func persona(_ name: String) throws(APIError) -> Persona? {
    let all = try all()
    return all.first { $0.id == name }
      ?? all.first { $0.email?.lowercased() == name.lowercased() }
  }

  package func put(_ persona: Persona) throws(APIError) {
    let count = try transaction.first(
      "SELECT COUNT(*) FROM personas WHERE project = ? AND name <> ?",
      arguments: [projectId, persona.id]
    ) { $0[0] as Int64 }
    guard count ?? 0 < Self.most else {
      throw APIError(.invalidArgument, detail: "a project has at most \(Self.most) personas")
    }
    try transaction.execute(
      "INSERT OR REPLACE INTO personas (project, name, record) VALUES (?, ?, ?)",
      arguments: [projectId, persona.id, JSON.object(persona.record).text])
    publish("personas.changed", members: .members(["persona": .string(persona.id)]))
  }

  /// - Returns: whether there was one.
  package func delete(_ name: String) throws(APIError) -> Bool {
    let isKnown = try transaction.first(
      "SELECT 1 FROM personas WHERE project = ? AND name = ?", arguments: [projectId, name]
    ) { _ in true }
    guard isKnown != nil else { return false }
    try transaction.execute(
      "DELETE FROM personas WHERE project = ? AND name = ?", arguments: [projectId, name])
    publish("personas.changed", members: .members(["persona": .string(name)]))
    return true
  }

  package func deleteAll() throws(APIError) {
    try transaction.execute("DELETE FROM personas WHERE project = ?", arguments: [projectId])
  }

  private static func persona(_ name: String, record: String) -> Persona? {
    (try? JSON.parse(record))?.object.flatMap { try? Persona(name, record: $0) }
  }

  private static let madeUp: [Persona] = [
    ("ada", "Ada Otter"), ("grace", "Grace Heron"), ("ken", "Ken Badger"),
  ].compactMap { name, title in
    try? Persona(
      name,
      record: JSONObject([
        "email": .string("\(name)@example.com"), "displayName": .string(title),
      ]))
  }
}

// MARK: What is kept

extension Personas {
  package static let migrations = [
    Migration(
      "personas and identity providers",
      sql: """
        CREATE TABLE personas (
          project TEXT NOT NULL,
          name TEXT NOT NULL,
          record TEXT NOT NULL,
          PRIMARY KEY (project, name)
        ) WITHOUT ROWID;

        CREATE TABLE provider_settings (
          project TEXT NOT NULL,
          provider TEXT NOT NULL,
          record TEXT NOT NULL,
          PRIMARY KEY (project, provider)
        ) WITHOUT ROWID;

        CREATE TABLE provider_grants (
          project TEXT NOT NULL,
          digest TEXT NOT NULL,
          kind TEXT NOT NULL,
          family TEXT NOT NULL,
          expires INTEGER NOT NULL,
          record TEXT NOT NULL,
          PRIMARY KEY (project, digest)
        ) WITHOUT ROWID;
        CREATE INDEX provider_grants_by_family ON provider_grants (project, family)
        """)
  ]

  package static let snapshotTables = [
    SnapshotTable("personas", key: ["project", "name"]),
    SnapshotTable("provider_settings", key: ["project", "provider"]),
    SnapshotTable("provider_grants", key: ["project", "digest"]),
  ]
}
