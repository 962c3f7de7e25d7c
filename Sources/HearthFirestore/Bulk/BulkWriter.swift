import HearthCrypto
package import HearthErrors
package import HearthSQLite
import HearthTime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes any number of documents, of which all appear at once or none does.
///
/// They are staged under the name of a project that nobody can name, in slices between which others
/// are served. At the end one transaction gives their collections the name of the real project,
/// which takes as long as there are collections, not documents. Where a collection has documents
/// already, those of the same name are replaced, the others stay. Listeners hear of it as of a
/// cleared database: they ask again. No commit is logged.
package actor BulkWriter {
  /// How many documents are written while nobody else is served.
  private static let slice = 500
  private static let mostCollections = 20_000

  private let firestore: Firestore
  private let staging: String
  private var times: [DatabaseName: Int64] = [:]
  private var collections: [ResourcePath: Int64] = [:]
  private var entries = BulkEntries()
  package private(set) var count = 0

  package init(_ firestore: Firestore) {
    self.firestore = firestore
    staging = Documents.stagingPrefix + firestore.random.alphanumeric(12) + "/"
    firestore.store.expectMuch(true)
  }

  /// Stages documents.
  ///
  /// - Returns: the index of one that has the name of an earlier one; nothing is to follow then but
  ///   `discard`.
  package func add(_ documents: [BulkDocument]) throws(APIError) -> Int? {
    var rest = documents[...]
    while !rest.isEmpty {
      let slice = rest.prefix(Self.slice)
      rest = rest.dropFirst(slice.count)
      let ids = try firestore.store.transaction { transaction throws(APIError) in
        try write(slice, documents: Documents(transaction))
      }
      for (document, place) in zip(slice, ids) {
        entries.add(document.keys, of: place.document, in: place.collection)
      }
      count += ids.count
      if ids.count < slice.count { return slice.startIndex + ids.count }
      if entries.isFull { try writeEntries() }
    }
    return nil
  }

  /// The index of the first document whose name one has already that is not staged.
  package nonisolated func firstKnown(
    of documents: [BulkDocument]
  ) throws(APIError) -> Int? {
    try firestore.read { stored throws(APIError) in
      for (index, document) in documents.enumerated()
      where try stored.updateTime(at: document.path) != nil { return index }
      return nil
    }
  }

  private typealias Place = (collection: Int64, document: Int64)

  /// The places of the documents up to one that is there already.
  private func write(
    _ slice: ArraySlice<BulkDocument>, documents: Documents
  ) throws(APIError) -> [Place] {
    var places: [Place] = []
    places.reserveCapacity(slice.count)
    for document in slice {
      let collection = try collection(of: document.path, documents)
      let time = try time(of: document.path.database, documents)
      guard let id = try documents.insert(document, in: collection, time: time) else { break }
      places.append((collection, id))
    }
    return places
  }

  private func collection(
    of path: ResourcePath, _ documents: Documents
  ) throws(APIError) -> Int64 {
    let parent = path.parent
    if let known = collections[parent] { return known }
    let staged = ResourcePath(staged(parent.database), segments: parent.segments)
    let id = try documents.collection(staged)
    if collections.count >= Self.mostCollections { collections = [:] }
    collections[parent] = id
    return id
  }

  private func staged(_ database: DatabaseName) -> DatabaseName {
    DatabaseName(project: staging + database.project, database: database.database)
  }

  /// The time of all documents of a database; no commit has the same.
  private func time(
    of database: DatabaseName, _ documents: Documents
  ) throws(APIError) -> Int64 {
    if let known = times[database] { return known }
    let time = try firestore.commitTime(documents, of: database)
    times[database] = time
    return time
  }

  private func writeEntries() throws(APIError) {
    try entries.drain { slice throws(APIError) in
      try firestore.store.transaction { transaction throws(APIError) in
        for entry in slice {
          try transaction.execute(
            "INSERT INTO firestore_entries (collection, key, document) VALUES (?, ?, ?)",
            arguments: [entry.collection, entry.key, entry.document])
        }
      }
    }
  }

  /// Lets the documents appear. The closure writes what appears with them.
  package func finish(
    _ also: @Sendable (Transaction) throws(APIError) -> Void = { _ in }
  ) throws(APIError) {
    defer { firestore.store.expectMuch(false) }
    try writeEntries()
    let databases = Array(times.keys)
    try firestore.store.transaction { transaction throws(APIError) in
      let documents = Documents(transaction)
      var times: [DatabaseName: Int64] = [:]
      for database in databases {
        times[database] = try firestore.commitTime(documents, of: database)
        try documents.adopt(staged(database), as: database)
      }
      try also(transaction)
      return times
    } committed: { times in
      firestore.forgetPast(of: times)
    }
  }

  /// Takes back what was staged.
  package func discard() throws(APIError) {
    defer { firestore.store.expectMuch(false) }
    entries = BulkEntries()
    while try firestore.store.transaction({ transaction throws(APIError) in
      try Documents(transaction).discardStaged(staging, limit: Self.slice)
    }) {}
    firestore.store.giveMemoryBack()
  }
}

extension Firestore {
  /// Listeners of these databases ask again, and transactions that are open there are lost.
  func forgetPast(of databases: [DatabaseName: Int64]) {
    for (database, time) in databases {
      log.clear(database, at: time, arrival: clocks.machineMicroseconds)
      transactions.lose(database)
      timeToLive.lookAgain(database)
    }
  }
}
