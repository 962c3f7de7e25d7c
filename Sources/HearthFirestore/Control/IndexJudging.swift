import HearthErrors
import HearthIndexes
import HearthOperations
import HearthWire

extension Firestore {
  /// Who judges whether queries have their indexes; nil where nobody does. Not to be asked for in a
  /// transaction of the store.
  func indexJudging(in database: DatabaseName) -> IndexJudging? {
    let mode = switches(database.project).indexes
    guard mode != .off, mode == .enforce || !indexes.isUnknown(database) else { return nil }
    return IndexJudging(firestore: self, database: database, isEnforced: mode == .enforce)
  }

  /// Which indexes a query uses or misses, whatever the mode; nil where no index is for it.
  func indexPlan(of query: Query, aggregating fields: [FieldPath] = []) -> IndexPlan? {
    guard let shape = query.shape(aggregating: fields) else { return nil }
    return indexes.plan(shape, of: query.parent.database)
  }
}

/// Judges the queries of a database.
struct IndexJudging {
  fileprivate let firestore: Firestore
  fileprivate let database: DatabaseName
  fileprivate let isEnforced: Bool

  /// Plans a query; nil where it needs no index.
  func plan(
    _ query: Query, aggregating fields: [FieldPath] = [], by caller: FirestoreCaller,
    operation: String
  ) -> JudgedQuery? {
    guard let shape = query.shape(aggregating: fields),
      let plan = firestore.indexes.plan(shape, of: database)
    else { return nil }
    return JudgedQuery(
      judging: self, shape: shape, plan: plan, caller: caller, operation: operation)
  }
}

/// A query with its plan.
struct JudgedQuery {
  fileprivate let judging: IndexJudging
  fileprivate let shape: QueryShape
  fileprivate let plan: IndexPlan
  fileprivate let caller: FirestoreCaller
  fileprivate let operation: String

  /// Notes which indexes the query uses. To be called when the query is allowed and valid.
  ///
  /// - Throws: FAILED_PRECONDITION where an index is missing that is enforced.
  func requireIndexes() throws(APIError) {
    let (firestore, database) = (judging.firestore, judging.database)
    firestore.indexes.note(
      IndexNotes.Use(
        shape: shape, plan: plan, operation: operation, caller: caller.noted,
        time: firestore.now(of: database)), of: database)
    guard let missing = plan.missing.first else { return }
    guard judging.isEnforced else {
      MissedIndexes.note { firestore.indexes.explanation(shape, plan: plan).text }
      return
    }
    var error = APIError(
      .failedPrecondition,
      message: missing.message(
        shape, project: database.project, database: database.database,
        console: firestore.indexes.page(of: database.project)))
    error.explain(firestore.indexes.explanation(shape, plan: plan).text)
    throw error
  }
}

extension FirestoreCaller {
  /// As notes have it.
  fileprivate var noted: String {
    switch self {
    case .owner: "owner"
    case .nobody: "nobody"
    case .user(let claims): claims["sub"]?.string ?? claims["user_id"]?.string ?? "user"
    }
  }
}
