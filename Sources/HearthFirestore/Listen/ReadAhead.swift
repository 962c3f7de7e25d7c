import HearthErrors
import HearthOperations
import HearthSQLite

/// The result that a listener begins with, read before the transaction in which it begins.
///
/// A large result is read in portions and decoded in a pool: it keeps neither the store nor a thread
/// that reads sockets.
struct ReadAhead: Sendable {
  let documents: [StoredDocument]
  /// As they are in the store.
  let bytes: Int
  fileprivate let moment: QueryMoment
}

/// How the transaction in which a listener begins gets the result of a query.
enum ListenReading: Sendable {
  /// It reads what a thread that reads sockets may. Where there is more, ``isLarge`` is thrown.
  case small
  /// It was read before. Where the result is another one by now, ``isLarge`` is thrown again.
  case ahead(ReadAhead)
  /// It reads everything.
  case whole

  /// What is thrown to leave the transaction. Nobody else sees it.
  static let isLarge = APIError(.internalError, message: "The result is read beforehand.")

  /// After so many changes in between it is read at once, or a busy collection would never be.
  static let mostAttempts = 3
}

extension Firestore {
  func readAhead(_ query: Query) async throws(APIError) -> ReadAhead {
    try await LargeReads.makeRoom { () async throws(APIError) in
      try await queryPool.finish { () async throws(APIError) in
        let portions = QueryPortions(query, in: self)
        while try !read({ documents throws(APIError) in
          try portions.advance(in: Snapshot(documents))
        }) {
          store.yieldToWaiters()
        }
        let result = try portions.result()
        return ReadAhead(
          documents: try result.documents.map { document throws(APIError) in
            try document.decoded()
          }, bytes: result.bytes, moment: portions.last ?? moment(of: query))
      }
    }
  }

  /// What a target shows at first.
  func result(
    of target: ListenTarget, in documents: Documents, _ reading: ListenReading
  ) throws(APIError) -> [StoredDocument] {
    guard let query = target.query else { return try target.result(in: documents) }
    switch reading {
    case .whole: return try target.result(in: documents)
    case .ahead(let ahead):
      guard !hasChanged(query, since: ahead.moment, until: moment(of: query)) else {
        throw ListenReading.isLarge
      }
      try LargeReads.require(ahead.bytes)
      return ahead.documents
    case .small:
      var scan = QueryScan(query)
      let isOver = try scan.advance(
        in: documents, rows: QueryPortions.rows, bytes: QueryPortions.firstBytes)
      guard isOver else { throw ListenReading.isLarge }
      let result = try scan.result()
      try LargeReads.require(result.bytes)
      return try result.documents.map { document throws(APIError) in try document.decoded() }
    }
  }
}
