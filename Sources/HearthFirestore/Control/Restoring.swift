package import HearthErrors
import HearthFirestoreProtos
import HearthFirestoreRules
package import HearthSQLite
import HearthTime
package import HearthWire

/// What Firestore does when the documents of a project become those of a snapshot.
extension Firestore {
  /// Keeps the numbers of documents and collections from coming twice, for as long as the row is
  /// there: SQLite gives out those of deleted rows again, and a snapshot may bring these back.
  ///
  /// - Returns: the number of the row.
  package static func makeFence(in transaction: Transaction) throws(APIError) -> Int64 {
    try transaction.execute(
      """
      INSERT INTO firestore_documents (collection, name, fields, created_at, updated_at)
      VALUES (
        1 + max(
          coalesce((SELECT max(id) FROM firestore_collections), 0),
          coalesce((SELECT max(collection) FROM firestore_documents), 0)),
        '', x'', 0, 0)
      """)
    return transaction.lastInsertedRowID
  }

  package static func removeFence(
    _ fence: Int64, in transaction: Transaction
  ) throws(APIError) {
    try transaction.execute(
      "DELETE FROM firestore_documents WHERE id = ? AND name = ''", arguments: [fence])
  }

  /// The time of a restore, which is a commit of all databases of the project.
  package func restoreTime(
    of project: String, in transaction: Transaction
  ) throws(APIError) -> Int64 {
    let documents = Documents(transaction)
    var time = clocks.microseconds(of: project)
    for database in try documents.databases(of: project) {
      time = max(time, try commitTime(documents, of: database))
    }
    return time
  }

  /// To be called in the transaction that has restored rows.
  ///
  /// - Returns: the databases that ``restored(_:at:)`` is to be told.
  package func finishRestoring(
    _ project: String, at time: Int64, in transaction: Transaction
  ) throws(APIError) -> [DatabaseName] {
    let databases = try Documents(transaction).databases(of: project)
    for database in databases {
      try transaction.execute(
        """
        INSERT OR REPLACE INTO firestore_clocks (project, database, last_commit) VALUES (?, ?, ?)
        """,
        arguments: [database.project, database.database, time])
    }
    return databases
  }

  /// To be called after the commit: listeners begin again, and open transactions are lost.
  ///
  /// No commit may come between the two: it would be cleared from the log too.
  package func restored(_ databases: [DatabaseName], at time: Int64) {
    for database in databases {
      log.clear(
        database, at: time, arrival: clocks.machineMicroseconds, isRestore: true)
      transactions.lose(database)
      timeToLive.lookAgain(database)
    }
  }

  /// Has references to documents of one project be to those of another, in the documents of that.
  package func moveReferences(
    from old: String, to new: String, at time: Int64, in transaction: Transaction
  ) throws(APIError) {
    let documents = Documents(transaction)
    let prefix = "projects/\(old)/databases/"
    for database in try documents.databases(of: new) {
      let root = ResourcePath(database, segments: [])
      for collection in try documents.collections(below: root, collectionId: nil) {
        let names = try transaction.all(
          """
          SELECT name FROM firestore_documents
          WHERE collection = ? AND instr(fields, CAST(? AS BLOB)) > 0
          """,
          arguments: [collection.id, prefix]
        ) { $0[0] as String }
        for name in names {
          guard let row = try documents.row(at: collection.path.appending(name)) else { continue }
          let fields = row.document.fields.moved(from: prefix, to: new)
          guard fields != row.document.fields else { continue }
          try documents.put(fields, at: row.document.path, over: row, time: time)
        }
      }
    }
  }
}

extension Documents {
  /// Those of a project that have, or had, documents.
  fileprivate func databases(of project: String) throws(APIError) -> [DatabaseName] {
    try transaction.all(
      """
      SELECT database FROM firestore_clocks WHERE project = ?1
      UNION SELECT database FROM firestore_collections WHERE project = ?1
      """,
      arguments: [project]
    ) { DatabaseName(project: project, database: $0[0]) }
  }
}

extension Fields {
  fileprivate func moved(from prefix: String, to project: String) -> Fields {
    Fields(map { (key: $0.key, value: $0.value.moved(from: prefix, to: project)) })
  }
}

extension Value {
  /// The value with references that begin so be to another project.
  fileprivate func moved(from prefix: String, to project: String) -> Value {
    switch valueType {
    case .referenceValue(let name)? where name.hasPrefix(prefix):
      return .reference("projects/\(project)/databases/" + name.dropFirst(prefix.count))
    case .arrayValue(let array)?:
      return .array(array.values.map { $0.moved(from: prefix, to: project) })
    case .mapValue(let map)?:
      return .map(map.fields.moved(from: prefix, to: project))
    default: return self
    }
  }
}

// MARK: Rules

extension Firestore {
  /// The rules that were set for a project, to be kept with a snapshot.
  package func rulesState(of project: String) -> JSON {
    let (ruleset, databases) = rules.own(project)
    var members = JSONObject()
    for (database, ruleset) in databases.sorted(by: { $0.key < $1.key }) {
      members.append(database, value: Self.files(ruleset.parts.map(\.file)))
    }
    return .members([
      "project": ruleset.map { Self.files($0.parts.map(\.file)) }, "databases": .object(members),
    ])
  }

  /// Makes what `rulesState` told the rules of a project. Rules that are the same go on.
  package func restoreRules(_ state: JSON, of project: String) {
    guard rulesState(of: project) != state else { return }
    var databases: [String: Ruleset] = [:]
    for (database, files) in state["databases"]?.object?.members ?? [] {
      databases[database] = Self.ruleset(files)
    }
    rules.replace(project, ruleset: state["project"].flatMap(Self.ruleset), databases: databases)
  }

  /// They have been read before.
  private static func ruleset(_ state: JSON) -> Ruleset? {
    let files = state["files"]?.array ?? []
    return try? Ruleset(
      files: files.map { RuleFile(name: $0["name"]?.string, content: $0["content"]?.string ?? "") })
  }
}
