import HearthErrors

/// Runs a query in several transactions, since each keeps all others waiting.
///
/// The result is that of the last of them: where a document of the query changes in between, the
/// query begins again. A class, because the transactions share it. It stays with its request.
final class QueryPortions {
  /// Documents that one transaction reads: a few milliseconds.
  static let rows = 2000
  /// Bytes that the first portion reads, on a thread that reads sockets.
  static let firstBytes = 512 << 10
  /// After so many restarts the rest is read at once, or a busy collection would never be read.
  private static let maximumRestarts = 3

  private let query: Query
  private let firestore: Firestore
  private var scan: QueryScan
  private var restarts = 0
  /// When the last portion was read; nil before the first one.
  private(set) var last: QueryMoment?
  /// Of a query to the past, which is run at once.
  private var past: QueryResult?

  init(_ query: Query, in firestore: Firestore) {
    self.query = query
    self.firestore = firestore
    scan = QueryScan(query)
  }

  /// Whether this is the first portion.
  var isFirst: Bool { last == nil }

  /// Whether what rules have said may not hold any more. To be asked before `advance(in:)`, in the
  /// same transaction.
  var needsRulesCheck: Bool { last != firestore.moment(of: query) }

  /// - Returns: whether the result is complete.
  /// - Throws: a refusal of the query, or what ``LargeReads/require(_:isComplete:)`` throws while
  ///   there is no memory for so many bytes.
  func advance(in snapshot: Snapshot) throws(APIError) -> Bool {
    guard snapshot.isPresent(for: query) else {
      let result = try snapshot.run(query)
      try LargeReads.require(result.bytes)
      past = result
      return true
    }
    let moment = firestore.moment(of: query)
    let isFirst = isFirst
    if let last, firestore.hasChanged(query, since: last, until: moment) {
      scan = QueryScan(query)
      restarts += 1
    }
    last = moment
    let isOver = try scan.advance(
      in: snapshot.documents, rows: restarts > Self.maximumRestarts ? .max : Self.rows,
      bytes: isFirst ? Self.firstBytes : .max)
    try LargeReads.require(scan.bytes, isComplete: isOver)
    return isOver
  }

  /// It takes as long as there are documents to sort, and needs no transaction.
  func result() throws(APIError) -> QueryResult {
    if let past { return past }
    return try scan.result()
  }
}

/// Where the log of commits ended when a part of a query was read, and what the rules were.
struct QueryMoment: Sendable, Equatable {
  let end: Int
  let restores: Int
  let rules: Int
}
