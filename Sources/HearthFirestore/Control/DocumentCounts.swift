package import HearthErrors
import HearthSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How many documents there are, from the index of their names.
extension Firestore {
  package typealias Count = (id: String, documents: Int)

  /// The databases of a project that have documents, and the default one.
  package func databaseCounts(of project: String) throws(APIError) -> [Count] {
    var counts = try read { documents throws(APIError) in
      try documents.transaction.all(
        """
        SELECT c.database, SUM((SELECT COUNT(*) FROM firestore_documents WHERE collection = c.id))
        FROM firestore_collections c WHERE c.project = ? GROUP BY c.database ORDER BY c.database
        """, arguments: [project]
      ) { (id: $0[0] as String, documents: $0[1] as Int) }
    }
    if !counts.contains(where: { $0.id == "(default)" }) {
      counts.insert(("(default)", 0), at: 0)
    }
    return counts
  }

  /// The collections right below a document, or below the root, with those that have documents in
  /// collections further below only.
  package func collectionCounts(
    below parent: ResourcePath, limit: Int
  ) throws(APIError) -> [Count] {
    try read { documents throws(APIError) in
      var counts: [Count] = []
      for id in try documents.children(of: parent, after: nil, limit: limit) {
        let path = OrderedBytes.path(parent.appending(id).segments)
        let count = try documents.transaction.count(
          """
          SELECT COUNT(*) FROM firestore_collections c
          JOIN firestore_documents d ON d.collection = c.id
          WHERE c.project = ? AND c.database = ? AND c.path = ?
          """, arguments: [parent.database.project, parent.database.database, Data(path)])
        counts.append((id, count))
      }
      return counts
    }
  }
}
