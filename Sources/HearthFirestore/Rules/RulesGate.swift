import HearthCrypto
import HearthErrors
import HearthFirestoreProtos
import HearthFirestoreRules
import HearthLimits
import HearthTime
import HearthWire

/// Asks the rules of a project whether a caller may do something, in one transaction of the store.
struct RulesGate {
  private let ruleset: Ruleset
  private let auth: RuleValue
  private let documents: Documents
  private let database: DatabaseName
  private let time: Int64
  private let lookedUp = LookedUp()
  /// Of the whole request, however many documents it is about.
  private let budget: RuleBudget

  /// What the decisions so far rest on besides the documents that they are about.
  var lookedUpPaths: Set<ResourcePath> { lookedUp.paths }

  /// Nil when everything is allowed: to the owner, or where a project has no rules.
  init?(
    _ firestore: Firestore, _ caller: FirestoreCaller, _ database: DatabaseName,
    _ documents: Documents, time: Int64? = nil
  ) {
    guard !caller.isOwner, let ruleset = firestore.rules.ruleset(of: database) else {
      return nil
    }
    self.ruleset = ruleset
    budget = RuleBudget(
      limit: firestore.rules.budget,
      digests: RuleDigests(md5: { Digest.md5.hash($0) }, sha256: { Digest.sha256.hash($0) }))
    self.documents = documents
    self.database = database
    self.time = time ?? firestore.now(of: database)
    switch caller {
    case .user(let claims):
      let uid = claims["sub"]?.string ?? claims["user_id"]?.string ?? ""
      auth = .map(["uid": .string(uid), "token": RuleValue(.object(claims))])
    case .nobody, .owner: auth = .null
    }
  }

  func checkGet(_ path: ResourcePath, _ stored: StoredDocument?) throws(APIError) {
    let members = RuleRequest.get(self.path(path.segments), auth, time).members
    try require { trace in
      ruleset.isAllowed(
        .get, path: path.segments, databaseID: database.database, request: .map(members),
        resource: stored?.ruleValue ?? .null, database: lookUp, budget: budget, trace: trace)
    }
  }

  /// Rules are not filters: the query must be allowed whatever it finds. Only where its conditions
  /// name the documents are these looked at, one by one; the query then must be run on the same
  /// state, which is `snapshot` where it is not the present one.
  func checkList(_ query: Query, in snapshot: Snapshot? = nil) throws(APIError) {
    let source: RuleQuery.Source
    switch (query.collectionId, query.allDescendants) {
    case (let id?, false):
      source = .collection(query.parent.segments + [id])
    case (let id?, true): source = .collectionGroup(id, under: query.parent.segments)
    case (nil, let atAnyDepth):
      source = .all(under: query.parent.segments, atAnyDepth: atAnyDepth)
    }
    let collection = query.parent.segments + (query.collectionId.map { [$0] } ?? [])
    let members = RuleRequest.list(
      query, query.allDescendants ? nil : path(collection), auth, time
    ).members
    for tests in query.filter.map({ $0.conjunctions(limit: 100) ?? [[]] }) ?? [[]] {
      let part = RuleQuery(source, where: tests.compactMap(Self.constraint))
      if let named = part.namedDocuments(in: database.database) {
        try checkNamed(named, members, in: snapshot ?? Snapshot(documents))
      } else {
        try require { trace in
          ruleset.permitsQuery(
            part, databaseID: database.database, request: .map(members), database: lookUp,
            budget: budget, trace: trace)
        }
      }
    }
  }

  /// Of a document that is missing, `resource` cannot be read.
  private func checkNamed(
    _ names: [[String]], _ members: [String: RuleValue], in snapshot: Snapshot
  ) throws(APIError) {
    for segments in names {
      let name = ResourcePath(database, segments)
      guard name.isDocument else { continue }
      var members = members
      members["path"] = path(segments)
      let resource = try snapshot.document(at: name)?.ruleValue
      try require { trace in
        ruleset.isAllowed(
          .list, path: segments, databaseID: database.database, request: .map(members),
          resource: resource, database: lookUp, budget: budget, trace: trace)
      }
    }
  }

  /// To be called when the writes are done: what is in the store is what would be left. The
  /// precondition of a write says whether it creates or updates, before what exists does.
  func checkWrites(
    _ effects: [DocumentEffect], of writes: [CheckedWrite]
  ) throws(APIError) {
    var before: [ResourcePath: StoredDocument?] = [:]
    for effect in effects where before[effect.path] == nil { before[effect.path] = effect.before }
    let lookUp = LookUp(
      documents: documents, database: database, lookedUp: lookedUp, before: before)
    for (effect, write) in zip(effects, writes) {
      let method = Self.method(effect, write.condition)
      let request = RuleRequest.write(
        method, write, after: effect.after, path(effect.path.segments), auth, time)
      try require { trace in
        ruleset.isAllowed(
          method, path: effect.path.segments, databaseID: database.database,
          request: .map(request.members), resource: effect.before?.ruleValue ?? .null,
          database: lookUp, budget: budget, trace: trace)
      }
    }
  }

  private static func method(
    _ effect: DocumentEffect, _ condition: CheckedWrite.Condition
  ) -> RuleMethod {
    switch (effect.kind, condition) {
    case (.verify, _): .get
    case (.delete, _): .delete
    case (.put, .exists(false)): .create
    case (.put, .exists(true)), (.put, .version): .update
    case (.put, .none): effect.before == nil ? .create : .update
    }
  }

  private var lookUp: LookUp {
    LookUp(documents: documents, database: database, lookedUp: lookedUp)
  }

  private func path(_ segments: [String]) -> RuleValue {
    .path(["databases", database.database, "documents"] + segments)
  }

  /// A refusal is decided a second time, to explain it in the request log.
  private func require(_ decide: (RuleTrace?) -> RuleDecision) throws(APIError) {
    let decision = decide(nil)
    guard !decision.isAllowed else { return }
    let message = "Missing or insufficient permissions."
    var error = APIError(.permissionDenied, message: "\(message) (\(decision.description))")
      .inProduction(message)
    let trace = RuleTrace(mostNodes: 100)
    _ = decide(trace)
    error.explain(RuleExplanation(ruleset).json(trace).text)
    throw error
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
/// share it; it stays within the transaction of that request.
private final class LookedUp {
  private(set) var paths: Set<ResourcePath> = []

  func add(_ path: ResourcePath) throws(APIError) {
    paths.insert(path)
    guard paths.count <= Limit.accessCallsOfRequest.value else {
      throw .invalid(Limit.accessCallsOfRequest.refusal())
    }
  }
}
