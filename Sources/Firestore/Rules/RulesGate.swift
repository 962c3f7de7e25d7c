import FirestoreRules
import HearthCore

/// Asks the rules of a project whether a caller may do something, in one transaction of the store.
struct RulesGate {
  private let ruleset: Ruleset
  private let auth: RuleValue
  private let documents: Documents
  private let database: DatabaseName
  private let time: Int64
  private let lookedUp = LookedUp()

  /// What the decisions so far rest on besides the documents that they are about.
  var lookedUpPaths: Set<ResourcePath> { lookedUp.paths }

  /// Nil when everything is allowed: to the owner, or where a project has no rules.
  init?(
    _ firestore: Firestore, _ caller: FirestoreCaller, _ database: DatabaseName,
    _ documents: Documents, time: Int64? = nil
  ) {
    guard !caller.isOwner, let ruleset = firestore.rules.ruleset(of: database.project) else {
      return nil
    }
    self.ruleset = ruleset
    self.documents = documents
    self.database = database
    self.time = time ?? firestore.now(of: database)
    switch caller {
    case .user(let claims):
      let uid = claims["user_id"]?.string ?? claims["sub"]?.string ?? ""
      auth = .map(["uid": .string(uid), "token": RuleValue(.object(claims))])
    case .nobody, .owner: auth = .null
    }
  }

  func checkGet(_ path: ResourcePath, _ stored: StoredDocument?) throws(APIError) {
    let decision = ruleset.isAllowed(
      .get, path: path.segments, databaseID: database.database,
      request: request("get", path), resource: stored?.ruleValue ?? .null,
      database: LookUp(documents: documents, database: database, lookedUp: lookedUp))
    try require(decision)
  }

  /// Rules are no filters: the query must be allowed whatever it finds.
  func checkList(_ query: Query) throws(APIError) {
    let source: RuleQuery.Source
    switch (query.collectionId, query.allDescendants) {
    case (let id?, false): source = .collection(query.parent.segments + [id])
    case (let id?, true): source = .collectionGroup(id, under: query.parent.segments)
    case (nil, _):
      throw APIError(
        .permissionDenied, message: "Queries over all collections need administrator access.")
    }
    var members = requestMembers("list", query.parent)
    members["query"] = .map([
      "limit": query.limit.map { .int(Int64($0)) } ?? .null,
      "offset": .int(Int64(query.offset)),
      "orderBy": .string(query.orders.first?.field.description ?? ""),
    ])
    for tests in query.filter.map({ $0.conjunctions(limit: 100) ?? [[]] }) ?? [[]] {
      let decision = ruleset.permitsQuery(
        RuleQuery(source, where: tests.compactMap(Self.constraint)),
        databaseID: database.database, request: .map(members),
        database: LookUp(documents: documents, database: database, lookedUp: lookedUp))
      try require(decision)
    }
  }

  /// To be called when the writes are done: what stands in the store is what would be left behind.
  func checkWrites(_ effects: [DocumentEffect]) throws(APIError) {
    var before: [ResourcePath: StoredDocument?] = [:]
    for effect in effects where before[effect.path] == nil { before[effect.path] = effect.before }
    let lookUp = LookUp(
      documents: documents, database: database, lookedUp: lookedUp, before: before)
    for effect in effects {
      let method: RuleMethod =
        switch effect.kind {
        case .verify: .get
        case .delete: .delete
        case .put: effect.before == nil ? .create : .update
        }
      var members = requestMembers(method.rawValue, effect.path)
      if effect.kind == .put { members["resource"] = effect.after?.ruleValue ?? .null }
      let decision = ruleset.isAllowed(
        method, path: effect.path.segments, databaseID: database.database,
        request: .map(members), resource: effect.before?.ruleValue ?? .null, database: lookUp)
      try require(decision)
    }
  }

  private func request(_ method: String, _ path: ResourcePath) -> RuleValue {
    .map(requestMembers(method, path))
  }

  private func requestMembers(_ method: String, _ path: ResourcePath) -> [String: RuleValue] {
    let microseconds = time - time.quotientRoundingDown(by: 1_000_000) * 1_000_000
    return [
      "auth": auth,
      "method": .string(method),
      "path": .path(["databases", database.database, "documents"] + path.segments),
      "time": .timestamp(
        seconds: time.quotientRoundingDown(by: 1_000_000),
        // As a server timestamp of the same request: in milliseconds.
        nanos: Int32(truncatingIfNeeded: microseconds / 1000 * 1_000_000)),
    ]
  }

  private func require(_ decision: RuleDecision) throws(APIError) {
    guard !decision.isAllowed else { return }
    throw APIError(
      .permissionDenied, message: "Missing or insufficient permissions. (\(decision.description))")
  }

  private static func constraint(_ test: FieldTest) -> FieldConstraint? {
    let values = test.operands.map { RuleValue($0) }
    guard let first = values.first else { return nil }
    let condition: FieldConstraint.Condition =
      switch test.comparison {
      case .equal: .equal(first)
      case .notEqual: .notEqual(first)
      case .less(_, let orEqual): orEqual ? .lessThanOrEqual(first) : .lessThan(first)
      case .greater(_, let orEqual): orEqual ? .greaterThanOrEqual(first) : .greaterThan(first)
      case .contains: .arrayContains(first)
      case .containsAny: .arrayContainsAny(values)
      case .oneOf: .oneOf(values)
      case .notOneOf: .notEqual(first)
      }
    return FieldConstraint(test.field.segments, condition)
  }
}

/// What `get()` and its relatives see.
private struct LookUp: RuleDatabase {
  let documents: Documents
  let database: DatabaseName
  let lookedUp: LookedUp
  /// What the writes of the request have replaced.
  var before: [ResourcePath: StoredDocument?] = [:]

  func document(_ path: [String], afterWrite: Bool) throws -> RuleValue? {
    let path = ResourcePath(database, path)
    guard path.isDocument else { return nil }
    try lookedUp.add(path)
    if !afterWrite, let known = before[path] { return known?.ruleValue }
    return try documents.document(at: path)?.ruleValue
  }
}

/// What the rules of all documents of a request have looked up together. A class, because they
/// share it.
private final class LookedUp {
  private static let limit = 20

  private(set) var paths: Set<ResourcePath> = []

  func add(_ path: ResourcePath) throws(APIError) {
    paths.insert(path)
    guard paths.count <= Self.limit else {
      throw .invalid("more than \(Self.limit) documents looked up for one request")
    }
  }
}
