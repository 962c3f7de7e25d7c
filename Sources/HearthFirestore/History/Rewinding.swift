package import HearthErrors
package import HearthSQLite

/// The documents of a project at a moment of its past, as far as they differ from later ones.
package struct PastDocuments: Sendable {
  fileprivate let states: [ResourcePath: StoredDocument?]
}

extension Firestore {
  /// Whether the documents of a moment can be rebuilt from those of `end`, both by the machine's time
  /// in microseconds; nil for now.
  package func reaches(_ moment: Int64, of project: String, until end: Int64?) -> Bool {
    log.reaches(moment, of: project, until: end)
  }

  /// What the documents were at a moment. To be called in a transaction, which keeps commits away.
  ///
  /// - Returns: nil when the log does not reach back to it.
  package func pastDocuments(
    of project: String, at moment: Int64, until end: Int64?
  ) -> PastDocuments? {
    log.states(of: project, atMoment: moment, until: end).map(PastDocuments.init)
  }

  /// Gives the documents of a project, which are a copy of later ones, the state of the past.
  package func put(
    _ past: PastDocuments, into project: String, at time: Int64, in transaction: Transaction
  ) throws(APIError) {
    let documents = Documents(transaction)
    for (path, state) in past.states {
      let database = DatabaseName(project: project, database: path.database.database)
      let path = ResourcePath(database, segments: path.segments)
      let row = try documents.row(at: path)
      guard let state else {
        if let row { try documents.delete(row) }
        continue
      }
      try documents.put(state.fields, at: path, over: row, time: time)
      guard let number = try documents.row(at: path)?.id else { continue }
      try transaction.execute(
        "UPDATE firestore_documents SET created_at = ? WHERE id = ?",
        arguments: [state.createTime, number])
    }
  }
}
