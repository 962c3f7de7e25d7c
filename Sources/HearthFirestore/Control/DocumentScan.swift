package import HearthErrors
import HearthSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A document as an export reads it.
package struct ScannedDocument: Sendable {
  let id: Int64
  package let database: String
  package let segments: [String]
  let data: [UInt8]
  package let origin: DocumentOrigin?

  package func fields() throws(APIError) -> Fields {
    do { return try StoredDocument.fields(of: data) } catch {
      throw APIError(.internalError, detail: "The data store holds a document that cannot be read.")
    }
  }
}

extension Firestore {
  /// About the bytes that are read while nobody else is served.
  private static let page = 1 << 20

  /// Hands over all documents of a project, or of one of its databases, in the order in which they
  /// were made, as they are at one moment.
  ///
  /// They are read in pages, between which others are served. Where somebody has written meanwhile,
  /// `restart` is called and everything is read again, this time at once.
  package func scan(
    _ project: String, database: String?, restart: () throws -> Void,
    visit: ([ScannedDocument]) throws -> Void
  ) throws {
    let before = try commitTimes(of: project)
    var last: Int64 = 0
    var pages = 0
    while true {
      let page = try read { documents throws(APIError) in
        try documents.page(of: project, database: database, after: last, bytes: Self.page)
      }
      pages += 1
      try visit(page.documents)
      guard !page.isLast, let id = page.documents.last?.id else { break }
      last = id
    }
    guard pages > 1, try commitTimes(of: project) != before else { return }
    try restart()
    try scanAtOnce(project, database: database, visit: visit)
  }

  private func scanAtOnce(
    _ project: String, database: String?, visit: ([ScannedDocument]) throws -> Void
  ) throws {
    let end = try read { documents throws(APIError) in
      Result {
        var last: Int64 = 0
        while true {
          let page = try documents.page(
            of: project, database: database, after: last, bytes: Self.page)
          try visit(page.documents)
          guard !page.isLast, let id = page.documents.last?.id else { return }
          last = id
        }
      }
    }
    try end.get()
  }

  private func commitTimes(of project: String) throws(APIError) -> [DatabaseName: Int64] {
    try read { documents throws(APIError) in
      try documents.lastCommitTimes().filter { $0.key.project == project }
    }
  }
}

extension Documents {
  fileprivate func page(
    of project: String, database: String?, after last: Int64, bytes: Int
  ) throws(APIError) -> (documents: [ScannedDocument], isLast: Bool) {
    var found: [ScannedDocument] = []
    var room = bytes
    var paths: [Int64: [String]] = [:]
    try transaction.scan(
      """
      SELECT d.id, c.id, c.database, c.path, d.name, d.fields, typeof(d.origin), d.origin
      FROM firestore_documents d CROSS JOIN firestore_collections c ON c.id = d.collection
      WHERE d.id > ? AND c.project = ? \(database == nil ? "" : "AND c.database = ?")
      ORDER BY d.id
      """,
      arguments: [last, project] + (database.map { [$0] } ?? [])
    ) { row in
      let collection: Int64 = row[1]
      let path = paths[collection] ?? OrderedBytes.segments(of: [UInt8](row[3] as Data))
      paths[collection] = path
      let data = [UInt8](row[5] as Data)
      let origin: DocumentOrigin? =
        switch row[6] as String {
        case "blob": .record([UInt8](row[7] as Data))
        case "text": .app(row[7])
        default: nil
        }
      found.append(
        ScannedDocument(
          id: row[0], database: row[2], segments: path + [row[4]], data: data, origin: origin))
      room -= data.count + 100
      return room > 0
    }
    return (found, room > 0)
  }
}
