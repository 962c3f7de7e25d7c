import HearthErrors
import HearthSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Documents that are staged, and how they get to their place.
extension Documents {
  /// No request can name a project with a slash.
  static let stagingPrefix = "/import/"

  /// - Returns: the id of the row; nil where the collection has a document of that name.
  func insert(
    _ document: BulkDocument, in collection: Int64, time: Int64
  ) throws(APIError) -> Int64? {
    let origin: (any Storable)? =
      switch document.origin {
      case nil: nil
      case .record(let bytes): Data(bytes)
      case .app(let app): app
      }
    try transaction.execute(
      """
      INSERT OR IGNORE INTO firestore_documents
        (collection, name, fields, created_at, updated_at, origin)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      arguments: [collection, document.path.id, document.data, time, time, origin])
    return transaction.changedRows == 0 ? nil : transaction.lastInsertedRowID
  }

  /// Gives the collections of a staged database to a real one.
  func adopt(_ staged: DatabaseName, as database: DatabaseName) throws(APIError) {
    while true {
      let found = try transaction.all(
        """
        SELECT s.id, t.id FROM firestore_collections s LEFT JOIN firestore_collections t
          ON t.project = ? AND t.database = ? AND t.path = s.path
        WHERE s.project = ? AND s.database = ? LIMIT 1000
        """,
        arguments: [database.project, database.database, staged.project, staged.database]
      ) { (staged: $0[0] as Int64, target: $0[1] as Int64?) }
      guard !found.isEmpty else { return }
      for (id, target) in found {
        let isGone = try target.map { target throws(APIError) in try merge(id, into: target) }
        guard isGone != true else { continue }
        try transaction.execute(
          "UPDATE firestore_collections SET project = ? WHERE id = ?",
          arguments: [database.project, id])
      }
    }
  }

  /// Documents of the staged collection take the place of those of the same name.
  ///
  /// - Returns: whether the staged collection is gone, rather than the other one.
  private func merge(_ staged: Int64, into target: Int64) throws(APIError) -> Bool {
    try dropReplaced(in: target, by: staged)
    let isEmpty =
      try transaction.first(
        "SELECT 1 FROM firestore_documents WHERE collection = ? LIMIT 1", arguments: [target]
      ) { _ in true } == nil
    let gone = isEmpty ? target : staged
    if !isEmpty {
      try transaction.execute(
        "UPDATE firestore_documents SET collection = ? WHERE collection = ?",
        arguments: [target, staged])
      try transaction.execute(
        "UPDATE firestore_entries SET collection = ? WHERE collection = ?",
        arguments: [target, staged])
    }
    try transaction.execute("DELETE FROM firestore_collections WHERE id = ?", arguments: [gone])
    return !isEmpty
  }

  private func dropReplaced(in target: Int64, by staged: Int64) throws(APIError) {
    let replaced = """
      FROM firestore_documents t JOIN firestore_documents s
        ON s.collection = ? AND s.name = t.name
      WHERE t.collection = ?
      """
    let known = try transaction.count(
      "SELECT count(*) FROM firestore_documents WHERE collection = ?", arguments: [target])
    if try transaction.count("SELECT count(*) \(replaced)", arguments: [staged, target]) == known {
      try transaction.execute(
        "DELETE FROM firestore_entries WHERE collection = ?", arguments: [target])
      try transaction.execute(
        "DELETE FROM firestore_documents WHERE collection = ?", arguments: [target])
      return
    }
    while true {
      let rows = try transaction.all(
        "SELECT t.id, t.name, t.fields \(replaced) LIMIT 500", arguments: [staged, target]
      ) { row in
        (
          id: row[0] as Int64, name: row[1] as String,
          fields: try StoredDocument.fields(of: [UInt8](row[2] as Data))
        )
      }
      guard !rows.isEmpty else { return }
      for row in rows {
        for key in IndexEntries.keys(of: row.fields, document: row.name) {
          try transaction.execute(
            "DELETE FROM firestore_entries WHERE collection = ? AND key = ?",
            arguments: [target, Data(key)])
        }
        try transaction.execute("DELETE FROM firestore_documents WHERE id = ?", arguments: [row.id])
      }
    }
  }

  /// Deletes some of what is staged under projects whose names begin like that.
  ///
  /// - Returns: whether there may be more.
  func discardStaged(_ prefix: String, limit: Int) throws(APIError) -> Bool {
    // The character after the slash that a prefix ends with.
    let end = String(prefix.dropLast()) + "0"
    let collection = try transaction.first(
      "SELECT id FROM firestore_collections WHERE project >= ? AND project < ? LIMIT 1",
      arguments: [prefix, end]
    ) { $0[0] as Int64 }
    guard let collection else { return false }
    try transaction.execute(
      """
      DELETE FROM firestore_entries WHERE collection = ? AND key IN
        (SELECT key FROM firestore_entries WHERE collection = ? LIMIT ?)
      """,
      arguments: [collection, collection, limit * 8])
    try transaction.execute(
      """
      DELETE FROM firestore_documents WHERE id IN
        (SELECT id FROM firestore_documents WHERE collection = ? LIMIT ?)
      """,
      arguments: [collection, limit])
    try transaction.execute(
      """
      DELETE FROM firestore_collections WHERE id = ?
        AND NOT EXISTS (SELECT 1 FROM firestore_documents WHERE collection = ?)
        AND NOT EXISTS (SELECT 1 FROM firestore_entries WHERE collection = ?)
      """,
      arguments: [collection, collection, collection])
    return true
  }
}
