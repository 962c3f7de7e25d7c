import HearthErrors
import HearthFirestoreProtos
import HearthSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which documents expire by which field.
struct ExpiryPolicy: Sendable {
  let database: DatabaseName
  /// The id of the collections.
  let group: String
  let field: FieldPath
}

extension Firestore {
  /// How many documents are deleted, and how many collections are looked at, while nobody else is
  /// served.
  private static let slice = (documents: 200, collections: 200)

  /// Deletes the documents whose time has come until then, a few with each commit.
  ///
  /// - Returns: the earliest time of the others, in microseconds; the end of all times for none.
  func delete(_ policy: ExpiryPolicy, until: Int64) async throws(APIError) -> Int64 {
    var place: [UInt8]? = []
    var earliest = Int64.max
    while let from = place {
      let expiries = try read { documents throws(APIError) in
        try documents.expiries(
          policy, from: from, until: until, documents: Self.slice.documents,
          collections: Self.slice.collections)
      }
      earliest = min(earliest, expiries.next)
      place = expiries.place
      if !expiries.paths.isEmpty, try delete(expiries.paths, policy: policy, until: until) == 0 {
        // They have changed. What has come instead of them is looked at from the next collection on.
        place = place.map { $0 + [0] }
      }
      await Task.yield()
    }
    return earliest
  }

  /// Rules are not asked. Triggers hear of it, as of every deletion.
  ///
  /// - Returns: how many were deleted.
  private func delete(
    _ paths: [ResourcePath], policy: ExpiryPolicy, until: Int64
  ) throws(APIError) -> Int {
    try commit(in: policy.database, by: .owner) { application throws(APIError) in
      var effects: [DocumentEffect] = []
      for path in paths {
        // Somebody may have given it another time meanwhile.
        guard let row = try application.documents.row(at: path),
          let time = row.document.expiry(at: policy.field), time <= until
        else { continue }
        try application.documents.delete(row)
        effects.append(
          DocumentEffect(path: path, before: row.document, after: nil, kind: .delete))
      }
      return (effects.count, effects)
    }.result
  }
}

extension Documents {
  /// What some collections of a group have to delete.
  struct Expiries {
    var paths: [ResourcePath] = []
    /// The earliest time that is still to come.
    var next = Int64.max
    /// The path of the collection to go on from; nil at the end.
    var place: [UInt8]?
  }

  /// Looks into the index of the field: one look for each collection, and one for each document
  /// that has expired.
  func expiries(
    _ policy: ExpiryPolicy, from place: [UInt8], until: Int64, documents: Int, collections: Int
  ) throws(APIError) -> Expiries {
    let found = try transaction.all(
      """
      SELECT id, path FROM firestore_collections
      WHERE project = ? AND database = ? AND collection_id = ? AND path >= ?
      ORDER BY path LIMIT ?
      """,
      arguments: [
        policy.database.project, policy.database.database, policy.group, Data(place), collections,
      ]
    ) { (id: $0[0] as Int64, path: [UInt8]($0[1] as Data)) }
    var expiries = Expiries()
    if found.count == collections, let last = found.last { expiries.place = last.path + [0] }
    let due = IndexEntries.times(of: policy.field, until: until)
    let later = IndexEntries.times(of: policy.field, after: until)
    for collection in found {
      let path = ResourcePath(policy.database, segments: OrderedBytes.segments(of: collection.path))
      let limit = documents - expiries.paths.count
      let names = try transaction.all(
        """
        SELECT d.name FROM firestore_entries e JOIN firestore_documents d ON d.id = e.document
        WHERE e.collection = ? AND e.key >= ? AND e.key < ? ORDER BY e.key LIMIT ?
        """,
        arguments: [collection.id, Data(due.from), Data(due.to), limit]
      ) { $0[0] as String }
      expiries.paths += names.map(path.appending)
      guard names.count < limit else {
        // The rest of its documents comes next.
        expiries.place = collection.path
        return expiries
      }
      let next = try transaction.first(
        """
        SELECT key FROM firestore_entries WHERE collection = ? AND key >= ? AND key < ?
        ORDER BY key LIMIT 1
        """,
        arguments: [collection.id, Data(later.from), Data(later.to)]
      ) { IndexEntries.time(in: [UInt8]($0[0] as Data), of: policy.field) }
      if let next = next ?? nil { expiries.next = min(expiries.next, next) }
    }
    return expiries
  }
}

extension Documents {
  /// How many documents a policy will delete, and when it deletes the first one.
  struct ExpiryCount {
    var documents = 0
    /// Microseconds; the end of all times for none.
    var first = Int64.max
    /// Whether there are more documents or collections than were looked at.
    var isCut = false
  }

  /// Looks at the index of the field in some collections of the group.
  func expiryCount(
    of policy: ExpiryPolicy, documents most: Int, collections: Int
  ) throws(APIError) -> ExpiryCount {
    let ids = try transaction.all(
      """
      SELECT id FROM firestore_collections
      WHERE project = ? AND database = ? AND collection_id = ? ORDER BY path LIMIT ?
      """,
      arguments: [policy.database.project, policy.database.database, policy.group, collections + 1]
    ) { $0[0] as Int64 }
    var count = ExpiryCount(isCut: ids.count > collections)
    let times = IndexEntries.times(of: policy.field)
    for id in ids.prefix(collections) {
      // The first one counts also where no more are counted.
      let limit = max(most - count.documents, 1)
      let found = try transaction.first(
        """
        SELECT count(*), min(key) FROM (
          SELECT key FROM firestore_entries WHERE collection = ? AND key >= ? AND key < ?
          ORDER BY key LIMIT ?)
        """,
        arguments: [id, Data(times.from), Data(times.to), limit]
      ) { (number: $0[0] as Int, key: $0[1] as Data?) }
      guard let found, let key = found.key else { continue }
      let first = IndexEntries.time(in: [UInt8](key), of: policy.field)
      count.first = min(count.first, first ?? .max)
      count.isCut = count.isCut || found.number == limit
      count.documents = min(count.documents + found.number, most)
    }
    return count
  }
}

extension IndexEntries {
  /// The range of all times of a field.
  fileprivate static func times(of field: FieldPath) -> (from: [UInt8], to: [UInt8]) {
    between(field, low: nil, high: nil, kind: OrderedBytes.Kind.timestamp)
  }

  /// The range of the times of a field up to one, in microseconds.
  fileprivate static func times(
    of field: FieldPath, until time: Int64
  ) -> (from: [UInt8], to: [UInt8]) {
    between(
      field, low: nil, high: Value.timestamp(microseconds: time).orderedBytes,
      kind: OrderedBytes.Kind.timestamp)
  }

  /// The range of those after it.
  fileprivate static func times(
    of field: FieldPath, after time: Int64
  ) -> (from: [UInt8], to: [UInt8]) {
    (times(of: field, until: time).to, times(of: field).to)
  }

  /// The time in the key of a field's entry, in microseconds.
  fileprivate static func time(in key: [UInt8], of field: FieldPath) -> Int64? {
    let start = times(of: field).from
    guard key.starts(with: start), key.count >= start.count + 12 else { return nil }
    let bytes = key[start.count...]
    let seconds = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } ^ (1 << 63)
    let nanos = bytes.dropFirst(8).prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return Int64(bitPattern: seconds) &* 1_000_000 &+ nanos / 1000
  }
}
