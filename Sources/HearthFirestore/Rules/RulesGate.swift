import HearthErrors
import HearthFirestoreProtos
import HearthFirestoreRules
import HearthTime
import HearthWire

/// Asks the rules of a project whether a caller may do something, in one transaction of the store.
/// It must not leave that transaction; what has to outlast it is in the ``RuleVerdicts`` of the
/// request.
struct RulesGate {
  /// Nil where there are none, and nothing is allowed.
  private let ruleset: Ruleset?
  private let table: RulesTable
  /// What rules see as `request.auth`: null without a token.
  private let auth: RuleValue
  private let documents: Documents
  private let database: DatabaseName
  /// What rules see as `request.time`, in microseconds; of a commit its time.
  private let time: Int64
  /// Of the request: what earlier attempts have decided, and what may still be spent in this one.
  private let verdicts: RuleVerdicts
  /// Of the whole request, however many documents it is about.
  private let budget: RuleBudget
  private let lookUp: RuleLookUp
  /// The target of a listener, 0 without one: one request may ask the same about several targets.
  private let target: Int32

  /// What the decisions so far rest on besides the documents that they are about.
  var lookedUpPaths: Set<ResourcePath> { Set(lookUp.versions.keys) }

  /// Nil when everything is allowed: to the owner, or where a project has no rules and does not
  /// answer as production.
  init?(
    _ firestore: Firestore, caller: FirestoreCaller, database: DatabaseName,
    documents: Documents, verdicts: RuleVerdicts, target: Int32 = 0, time: Int64? = nil
  ) {
    guard !caller.isOwner else { return nil }
    // Before the rules: what they say must not count as the word of newer ones.
    let generation = firestore.rules.generation
    table = firestore.rules
    ruleset = table.ruleset(of: database, as: verdicts.answers)
    guard ruleset != nil || verdicts.answers == .production else { return nil }
    self.verdicts = verdicts
    verdicts.begin(generation)
    self.target = target
    budget = .of(firestore.rules, portion: verdicts.portion, lines: verdicts.lines)
    lookUp = RuleLookUp(.transaction(documents), database: database)
    self.documents = documents
    self.database = database
    self.time = time ?? firestore.now(of: database).inWholeMilliseconds
    switch caller {
    case .user(let claims):
      let uid = claims["sub"]?.string ?? claims["user_id"]?.string ?? ""
      auth = .map(["uid": .string(uid), "token": RuleValue(.object(claims))])
    case .nobody, .owner: auth = .null
    }
  }

  /// Checks that a document may be read, also one that is missing.
  ///
  /// - Throws: PERMISSION_DENIED with the reason, as all checks do; or what leaves the transaction
  ///   when rules go on in the pool.
  func checkGet(_ path: ResourcePath, stored: StoredDocument?) throws(APIError) {
    try require(
      RuleQuestion(
        id: id(.get, path: path.segments), version: stored?.updateTime,
        subject: .document(.get, path: path.segments, resource: stored?.ruleValue ?? .null),
        request: RuleRequest.get(self.path(path.segments), auth: auth, time: time).members),
      lookUp: lookUp)
  }

  /// Rules are not filters: the query must be allowed whatever it finds. Only where its conditions
  /// name the documents are these looked at, one by one; the query then must be run on the same
  /// state, which is `snapshot` where it is not the present one.
  func checkList(_ query: Query, in snapshot: Snapshot? = nil) throws(APIError) {
    _ = try rulesInForce()
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
      query, path: query.allDescendants ? nil : path(collection), auth: auth, time: time,
      as: verdicts.answers
    ).members
    // Each alternative must be allowed by itself: together they find what any of them finds. One
    // that is too long to be written so has no conditions, and is allowed only where everything is.
    let conjunctions = query.filter.map { $0.conjunctions(limit: 100) ?? [[]] } ?? [[]]
    for (index, tests) in conjunctions.enumerated() {
      let part = RuleQuery(source, where: tests.compactMap(Self.constraint))
      if let named = part.namedDocuments(in: database.database) {
        try checkNamed(named, of: index, members: members, in: snapshot ?? Snapshot(documents))
      } else {
        try require(
          RuleQuestion(id: id(.list, part: index), subject: .query(part), request: members),
          lookUp: lookUp)
      }
    }
  }

  /// Of a document that is missing, `resource` cannot be read.
  private func checkNamed(
    _ names: [[String]], of part: Int, members: [String: RuleValue], in snapshot: Snapshot
  ) throws(APIError) {
    for segments in names {
      let name = ResourcePath(database, segments: segments)
      // A name that no document can have finds nothing.
      guard name.isDocument else { continue }
      var members = members
      members["path"] = path(segments)
      let stored = try snapshot.document(at: name)
      try require(
        RuleQuestion(
          id: id(.list, path: segments, part: part), version: stored?.updateTime,
          subject: .document(.list, path: segments, resource: stored?.ruleValue),
          request: members),
        lookUp: lookUp)
    }
  }

  /// Asks about what writes would leave, before they are stored.
  func checkWrites(
    _ changes: [DocumentEffect], of writes: [CheckedWrite]
  ) throws(APIError) {
    // One of its own: `getAfter()` is to see what the writes leave.
    let lookUp = RuleLookUp(.transaction(documents), database: database, changes: changes)
    for (index, change) in RuleChange.all(changes, of: writes).enumerated() {
      let segments = change.path.segments
      let request = RuleRequest.write(change, path: path(segments), auth: auth, time: time)
      try require(
        RuleQuestion(
          id: id(change.method, path: segments, part: index),
          version: lookUp.version(before: change.path),
          subject: .document(
            change.method, path: segments, resource: change.before?.ruleValue ?? .null),
          request: request.members),
        lookUp: lookUp)
    }
  }

  private func path(_ segments: [String]) -> RuleValue {
    .path(["databases", database.database, "documents"] + segments)
  }

  private func id(
    _ method: RuleMethod, path: [String] = [], part: Int = 0
  ) -> RuleQuestion.ID {
    RuleQuestion.ID(method: method, path: path, part: part, target: target)
  }

  /// - Throws: PERMISSION_DENIED where there are none.
  private func rulesInForce() throws(APIError) -> Ruleset {
    guard let ruleset else { throw table.refusal(withoutRulesOf: database) }
    return ruleset
  }

  /// Takes over a decision, or makes it within the portion of this transaction.
  private func require(_ question: RuleQuestion, lookUp: RuleLookUp) throws(APIError) {
    let ruleset = try rulesInForce()
    if let verdict = try verdicts.verdict(on: question, lookUp) {
      // A decision of an earlier attempt costs the request the same as one that is made here.
      budget.charge(verdict.cost)
      if let refusal = verdict.refusal { throw refusal }
      return
    }
    // As before the question: in the pool it starts over, and its cost counts once.
    let (spent, lookedUp) = (budget.spent, lookUp.versions)
    let refusal = question.refusal(by: ruleset, in: lookUp, as: verdicts.answers, budget)
    if refusal == nil, budget.isPaused {
      throw verdicts.pause(
        at: RuleVerdicts.Pending(
          question: question, ruleset: ruleset, lookUp: lookUp, spent: spent, lookedUp: lookedUp))
    }
    verdicts.keep(
      RuleVerdicts.Verdict(
        refusal: refusal, version: question.version, lookedUp: lookUp.versions,
        cost: budget.spent - spent),
      on: question)
    if let refusal { throw refusal }
  }

  /// What a condition of a query tells about each document that it finds. Of `not-in` only one of
  /// the values is used, which tells less than it could, and nothing wrong.
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
    return FieldConstraint(test.field.segments, condition: condition)
  }
}
