import HearthErrors
import HearthFirestoreProtos
import HearthSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The documents of all databases, in one transaction of the store.
struct Documents {
  let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }

  // MARK: Reading

  func document(at path: ResourcePath) throws(APIError) -> StoredDocument? {
    try row(at: path)?.document
  }

  /// A document with its place in the tables, so that a write reads it once.
  struct StoredRow {
    let id: Int64
    fileprivate let collection: Int64
    /// Of its fields here.
    let bytes: Int
    let document: StoredDocument

    fileprivate init(_ row: ResultRow, collection: Int64, path: ResourcePath) throws {
      let data: [UInt8] = row[1]
      id = row[0]
      self.collection = collection
      bytes = data.count
      document = StoredDocument(
        path: path, fields: try StoredDocument.fields(of: data), createTime: row[2],
        updateTime: row[3])
    }
  }

  func row(at path: ResourcePath) throws(APIError) -> StoredRow? {
    try read(at: path) { try StoredRow($0, collection: $0[4], path: path) }
  }

  func encodedDocument(at path: ResourcePath) throws(APIError) -> EncodedDocument? {
    try read(at: path) {
      EncodedDocument(path: path, data: $0[1], createTime: $0[2], updateTime: $0[3])
    }
  }

  private func read<Value>(
    at path: ResourcePath, _ read: (ResultRow) throws -> Value
  ) throws(APIError) -> Value? {
    try transaction.first(
      """
      SELECT d.id, d.fields, d.created_at, d.updated_at, d.collection
      FROM firestore_documents d JOIN firestore_collections c ON c.id = d.collection
      WHERE c.project = ? AND c.database = ? AND c.path = ? AND d.name = ?
      """,
      arguments: [
        path.database.project, path.database.database,
        Data(OrderedBytes.path(path.parent.segments)), path.id,
      ], read: read)
  }

  /// When the document was last changed, in microseconds; nil where there is none.
  func updateTime(at path: ResourcePath) throws(APIError) -> Int64? {
    try read(at: path) { $0[3] }
  }

  /// The first documents of a collection, by name.
  func rows(in collection: Collection, limit: Int) throws(APIError) -> [StoredRow] {
    try transaction.all(
      """
      SELECT id, fields, created_at, updated_at, name FROM firestore_documents
      WHERE collection = ? ORDER BY name LIMIT ?
      """,
      arguments: [collection.id, limit]
    ) { try StoredRow($0, collection: collection.id, path: collection.path.appending($0[4])) }
  }

  // MARK: Writing

  /// The last time that timestamps can tell, in microseconds.
  private static let latest: Int64 = 253_402_300_799_999_999
  /// Where a clock brings a database to that was set too far. Time stops there.
  static let endOfTime = latest - 1_000_000

  /// The time of a commit: the clock's, but later than every commit before, also of earlier runs,
  /// for as long as there are later times.
  func nextCommitTime(of database: DatabaseName, _ now: Int64) throws(APIError) -> Int64 {
    let time = min(max(now, try lastCommitTime(of: database) + 1), Self.latest)
    try transaction.execute(
      "INSERT OR REPLACE INTO firestore_clocks (project, database, last_commit) VALUES (?, ?, ?)",
      arguments: [database.project, database.database, time])
    return time
  }

  func lastCommitTime(of database: DatabaseName) throws(APIError) -> Int64 {
    try transaction.first(
      "SELECT last_commit FROM firestore_clocks WHERE project = ? AND database = ?",
      arguments: [database.project, database.database]
    ) { min($0[0] as Int64, Self.latest) } ?? 0
  }

  func lastCommitTimes() throws(APIError) -> [DatabaseName: Int64] {
    let rows = try transaction.all(
      "SELECT project, database, last_commit FROM firestore_clocks"
    ) { (DatabaseName(project: $0[0], database: $0[1]), $0[2] as Int64) }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// Stores fields under a name, with their index entries, in place of what was read there.
  func put(
    _ fields: Fields, at path: ResourcePath, over known: StoredRow?, time: Int64
  ) throws(APIError) {
    let data: [UInt8]
    do { data = try StoredDocument.data(of: fields) } catch {
      throw .invalid("The document cannot be encoded.")
    }
    if let known {
      try transaction.execute(
        "UPDATE firestore_documents SET fields = ?, updated_at = ?, origin = NULL WHERE id = ?",
        arguments: [Data(data), time, known.id])
      try replaceEntries(
        of: known.document.fields, with: fields, document: known.id, collection: known.collection,
        name: path.id)
      return
    }
    let collection = try collection(path.parent)
    try transaction.execute(
      """
      INSERT INTO firestore_documents (collection, name, fields, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?)
      """,
      arguments: [collection, path.id, Data(data), time, time])
    try replaceEntries(
      of: [:], with: fields, document: transaction.lastInsertedRowID, collection: collection,
      name: path.id)
  }

  func delete(_ known: StoredRow) throws(APIError) {
    let name = known.document.path.id
    try replaceEntries(
      of: known.document.fields, with: [:], document: known.id, collection: known.collection,
      name: name)
    try transaction.execute("DELETE FROM firestore_documents WHERE id = ?", arguments: [known.id])
    // An empty collection does not exist.
    try transaction.execute(
      """
      DELETE FROM firestore_collections WHERE id = ?
        AND NOT EXISTS (SELECT 1 FROM firestore_documents WHERE collection = ?)
      """,
      arguments: [known.collection, known.collection])
  }

  /// Drops everything in the database, which leaves the end of time then.
  func clear(_ database: DatabaseName) throws(APIError) {
    let snapshots = Snapshots(Self.snapshotTables, in: transaction)
    let name = database.database
    if try !snapshots.setAside("database = ?", of: database.project, arguments: [name]) {
      try deleteAll(in: database)
    }
    try transaction.execute(
      "DELETE FROM firestore_clocks WHERE project = ? AND database = ? AND last_commit >= ?",
      arguments: [database.project, database.database, Self.endOfTime])
  }

  private func deleteAll(in database: DatabaseName) throws(APIError) {
    let owned = "SELECT id FROM firestore_collections WHERE project = ? AND database = ?"
    let arguments: Arguments = [database.project, database.database]
    try transaction.execute(
      "DELETE FROM firestore_entries WHERE collection IN (\(owned))", arguments: arguments)
    try transaction.execute(
      "DELETE FROM firestore_documents WHERE collection IN (\(owned))", arguments: arguments)
    try transaction.execute(
      "DELETE FROM firestore_collections WHERE project = ? AND database = ?", arguments: arguments)
  }

  func collection(_ path: ResourcePath) throws(APIError) -> Int64 {
    let bytes = Data(OrderedBytes.path(path.segments))
    let known = try transaction.first(
      "SELECT id FROM firestore_collections WHERE project = ? AND database = ? AND path = ?",
      arguments: [path.database.project, path.database.database, bytes]
    ) { $0[0] as Int64 }
    if let known { return known }
    // Snapshots hold documents of collections that are not there any more: no number appears twice.
    try transaction.execute(
      """
      INSERT INTO firestore_collections (id, project, database, path, collection_id)
      VALUES (
        1 + max(
          coalesce((SELECT max(id) FROM firestore_collections), 0),
          coalesce((SELECT max(collection) FROM firestore_documents), 0)),
        ?, ?, ?, ?)
      """,
      arguments: [path.database.project, path.database.database, bytes, path.id])
    return transaction.lastInsertedRowID
  }

  /// Most writes change few fields, and touch few entries.
  private func replaceEntries(
    of old: Fields, with new: Fields, document: Int64, collection: Int64, name: String
  ) throws(APIError) {
    let before = IndexEntries.keys(of: old, document: name)
    let after = IndexEntries.keys(of: new, document: name)
    for key in before.subtracting(after) {
      try transaction.execute(
        "DELETE FROM firestore_entries WHERE collection = ? AND key = ?",
        arguments: [collection, Data(key)])
    }
    for key in after.subtracting(before) {
      try transaction.execute(
        "INSERT INTO firestore_entries (collection, key, document) VALUES (?, ?, ?)",
        arguments: [collection, Data(key), document])
    }
  }

  // MARK: Collections

  /// A collection that has documents.
  struct Collection {
    let id: Int64
    let path: ResourcePath
  }

  func find(_ path: ResourcePath) throws(APIError) -> Collection? {
    try transaction.first(
      "SELECT id FROM firestore_collections WHERE project = ? AND database = ? AND path = ?",
      arguments: [
        path.database.project, path.database.database, Data(OrderedBytes.path(path.segments)),
      ]
    ) { Collection(id: $0[0], path: path) }
  }

  /// Collections anywhere below the parent, in the order of their paths; those of one id, or, where
  /// it is nil, all.
  func collections(
    below parent: ResourcePath, collectionId: String?
  ) throws(APIError) -> [Collection] {
    let prefix = OrderedBytes.path(parent.segments)
    let database = parent.database
    let filter = collectionId == nil ? "" : "AND collection_id = ?"
    var arguments: Arguments = [
      database.project, database.database, Data(prefix), Data(OrderedBytes.end(of: prefix)),
    ]
    if let collectionId { arguments += [collectionId] }
    return try transaction.all(
      """
      SELECT id, path FROM firestore_collections
      WHERE project = ? AND database = ? AND path >= ? AND path < ? \(filter) ORDER BY path
      """,
      arguments: arguments
    ) { row in
      Collection(
        id: row[0],
        path: ResourcePath(database, segments: OrderedBytes.segments(of: [UInt8](row[1] as Data))))
    }
  }

  /// The distinct segments that follow the prefix in the paths of collections, each found with one
  /// look into the index; those after `after`.
  func children(
    of prefix: ResourcePath, after: String?, limit: Int
  ) throws(APIError) -> [String] {
    let start = OrderedBytes.path(prefix.segments)
    let end = OrderedBytes.end(of: start)
    // After the prefix itself, which may be a collection.
    var next = after.map { OrderedBytes.end(of: start + OrderedBytes.path([$0])) } ?? start + [0]
    var names: [String] = []
    while names.count < limit {
      let path = try transaction.first(
        """
        SELECT path FROM firestore_collections
        WHERE project = ? AND database = ? AND path >= ? AND path < ? ORDER BY path LIMIT 1
        """,
        arguments: [prefix.database.project, prefix.database.database, Data(next), Data(end)]
      ) { OrderedBytes.segments(of: [UInt8]($0[0] as Data)) }
      guard let path, path.count > prefix.segments.count else { break }
      let name = path[prefix.segments.count]
      names.append(name)
      next = OrderedBytes.end(of: start + OrderedBytes.path([name]))
    }
    return names
  }

  // MARK: Scans

  /// Where to look for the documents of a query: in one collection, by name or by a range of index
  /// keys.
  enum Range {
    case names(from: String?, to: String?)
    case keys(from: [UInt8], to: [UInt8])
  }

  /// What a scan does after a document.
  enum ScanStep {
    case next
    case stop
    /// Stops in front of the document.
    case pause
  }

  /// Documents of a collection in the order of the range, for as long as more are wanted.
  ///
  /// - Returns: what is left of the range where the visitor has paused; nil where it has not.
  func scan(
    _ collection: Collection, range: Range, descending: Bool,
    visit: (EncodedDocument) throws(APIError) -> ScanStep
  ) throws(APIError) -> Range? {
    let direction = descending ? "DESC" : "ASC"
    var fault: APIError?
    var rest: Range?
    let read: (ResultRow) throws -> Bool = { row in
      let document = EncodedDocument(
        path: collection.path.appending(row[0]), data: row[1], createTime: row[2],
        updateTime: row[3])
      do throws(APIError) {
        switch try visit(document) {
        case .next: return true
        case .stop: return false
        case .pause:
          rest = range.rest(from: row, descending: descending)
          return false
        }
      } catch {
        fault = error
        return false
      }
    }
    switch range {
    case .names(let from, let to):
      var arguments: Arguments = [collection.id, from ?? ""]
      if let to { arguments += [to] }
      try transaction.scan(
        """
        SELECT name, fields, created_at, updated_at FROM firestore_documents
        WHERE collection = ? AND name >= ? \(to == nil ? "" : "AND name <= ?")
        ORDER BY name \(direction)
        """,
        arguments: arguments, visit: read)
    case .keys(let from, let to):
      try transaction.scan(
        """
        SELECT d.name, d.fields, d.created_at, d.updated_at, e.key
        FROM firestore_entries e JOIN firestore_documents d ON d.id = e.document
        WHERE e.collection = ? AND e.key >= ? AND e.key < ? ORDER BY e.key \(direction)
        """,
        arguments: [collection.id, Data(from), Data(to)], visit: read)
    }
    if let fault { throw fault }
    return rest
  }

  /// How many entries the range has, counted up to a limit.
  func count(
    _ collection: Collection, from: [UInt8], to: [UInt8], upTo limit: Int
  ) throws(APIError) -> Int {
    try transaction.count(
      """
      SELECT count(*) FROM (SELECT 1 FROM firestore_entries
      WHERE collection = ? AND key >= ? AND key < ? LIMIT ?)
      """,
      arguments: [collection.id, Data(from), Data(to), limit])
  }

  /// Whether there may be ids like `__id7__`.
  func hasNumericIds(_ collection: Collection) throws(APIError) -> Bool {
    try transaction.first(
      """
      SELECT 1 FROM firestore_documents
      WHERE collection = ? AND name >= '__id' AND name < '__ie' LIMIT 1
      """,
      arguments: [collection.id]
    ) { _ in true } ?? false
  }

  func names(in collection: Collection) throws(APIError) -> [String] {
    try transaction.all(
      "SELECT name FROM firestore_documents WHERE collection = ?", arguments: [collection.id]
    ) { $0[0] as String }
  }

  func count(_ collection: Collection) throws(APIError) -> Int {
    try transaction.count(
      "SELECT count(*) FROM firestore_documents WHERE collection = ?", arguments: [collection.id])
  }
}
