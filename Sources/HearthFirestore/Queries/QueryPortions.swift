import HearthErrors

/// Runs a query in several transactions, since each keeps all others waiting.
///
/// The result is that of the last of them: where a document of the query changes in between, the
/// query begins again. A class, because the transactions share it. It stays with its request.
final class QueryPortions {
  /// Documents that one transaction reads: a few milliseconds.
  static let rows = 2000
  /// After so many restarts the rest is read at once, or a busy collection would never be read.
  private static let maximumRestarts = 3

  /// Where the log of commits ended, and what the rules were.
  private struct Moment: Equatable {
    let end: Int
    let restores: Int
    let rules: Int
  }

  private let query: Query
  private let firestore: Firestore
  private var scan: QueryScan
  private var restarts = 0
  private var last: Moment?
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
  var needsRulesCheck: Bool { last != moment }

  private var moment: Moment {
    let database = query.parent.database
    return Moment(
      end: firestore.log.end(of: database), restores: firestore.log.restores(of: database),
      rules: firestore.rules.generation)
  }

  /// - Returns: whether the result is complete.
  func advance(in snapshot: Snapshot) throws(APIError) -> Bool {
    guard snapshot.isPresent(for: query) else {
      past = try snapshot.run(query)
      return true
    }
    let moment = moment
    if let last, hasChanged(since: last, until: moment) {
      scan = QueryScan(query)
      restarts += 1
    }
    last = moment
    return try scan.advance(
      in: snapshot.documents, rows: restarts > Self.maximumRestarts ? .max : Self.rows)
  }

  private func hasChanged(since last: Moment, until moment: Moment) -> Bool {
    if last.end == moment.end, last.restores == moment.restores { return false }
    let portion = firestore.log.commits(of: query.parent.database, from: last.end)
    guard last.restores == moment.restores, let portion, portion.next == moment.end else {
      return true
    }
    return portion.commits.contains { commit in
      commit.effects.contains { query.covers($0.path) }
    }
  }

  /// It takes as long as there are documents to sort, and needs no transaction.
  func result() throws(APIError) -> QueryResult {
    if let past { return past }
    return try scan.result()
  }
}
