package import HearthErrors
import HearthFirestoreJSON
import HearthFirestoreProtos
import HearthFirestoreRules
import HearthTime
package import HearthWire

/// A request that nobody makes: people try what rules would say to it. It reads documents and
/// writes none.
package struct RuleTrial: Sendable {
  /// The source of rules to try; nil for those that hold.
  private let rules: String?
  private let database: DatabaseName
  private let method: RuleMethod
  /// Below `documents`: of a document, or of a collection that is listed.
  private let segments: [String]
  private let auth: RuleValue
  /// The document as the request would leave it.
  private let data: RuleValue?
  /// The document as it is before the request, null for none; nil for the one that is stored.
  private let resource: RuleValue?
  /// What `request.time` is; nil for the time of the project.
  private let time: Timestamp?

  private static let names = [
    "rules", "database", "method", "path", "auth", "data", "resource", "time",
  ]

  /// Reads a trial from the body of a request.
  ///
  /// - Throws: INVALID_ARGUMENT with the member that is wrong, or not known.
  package init(_ body: JSONObject, project: String) throws(APIError) {
    for name in body.keys where !Self.names.contains(name) {
      throw APIError(.invalidArgument, detail: "unknown member '\(name)'")
    }
    rules = body["rules"]?.string
    database = DatabaseName(
      project: project, database: (body["database"]?.string).nonEmpty ?? "(default)")
    guard let method = body["method"]?.string.flatMap(RuleMethod.init) else {
      let known = RuleMethod.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(.invalidArgument, detail: "/method must be one of \(known)")
    }
    self.method = method
    segments = try Self.segments(body["path"]?.string, method: method, database: database)
    auth = try Self.auth(body["auth"])
    data = try Self.fields(body["data"], name: "/data")
    resource = try body["resource"].map { json throws(APIError) in
      try Self.fields(json, name: "/resource") ?? .null
    }
    time = body["time"]?.string.flatMap(Timestamp.init(iso8601:))
    guard time != nil || body["time"] == nil else {
      throw APIError(.invalidArgument, detail: "/time must be a time such as 2027-01-31T09:30:00Z")
    }
  }

  private static func segments(
    _ path: String?, method: RuleMethod, database: DatabaseName
  ) throws(APIError) -> [String] {
    var segments = (path ?? "").split(separator: "/").map(String.init)
    let prefix = ["databases", database.database, "documents"]
    if segments.starts(with: prefix) { segments.removeFirst(prefix.count) }
    guard !segments.isEmpty, segments.count.isMultiple(of: 2) || method == .list else {
      throw APIError(
        .invalidArgument,
        detail: "/path must be that of a document, or of a collection that is listed")
    }
    return segments
  }

  private static func auth(_ json: JSON?) throws(APIError) -> RuleValue {
    guard let json, !json.isNull else { return .null }
    guard let uid = json["uid"]?.string else {
      throw APIError(.invalidArgument, detail: "/auth must be null or have a uid")
    }
    return .map(["uid": .string(uid), "token": RuleValue(json["token"] ?? [:])])
  }

  /// Plain JSON, or `{"fields": …}` with typed values as the API writes them.
  private static func fields(_ json: JSON?, name: String) throws(APIError) -> RuleValue? {
    guard let json, !json.isNull else { return nil }
    guard let object = json.object else {
      throw APIError(.invalidArgument, detail: "\(name) must be an object")
    }
    guard object.members.count == 1, object["fields"]?.object != nil else { return RuleValue(json) }
    let document: Document = try FirestoreJSON.decode(json.bytes)
    return .map(document.fields.mapValues { RuleValue($0) })
  }

  // MARK: Running

  /// Decides the trial. Rules that cannot be parsed are part of the answer, with their places, as
  /// people type them.
  package func run(_ firestore: Firestore) throws(APIError) -> JSON {
    let given: Ruleset?
    do throws(RuleSyntaxError) {
      given = try rules.map { source throws(RuleSyntaxError) in try Ruleset(source: source) }
    } catch {
      return .members([
        "errors": [
          .members([
            "file": .string(RuleFile.standardName), "line": .int(Int64(error.line)),
            "column": .int(Int64(error.column)), "message": .string(error.message),
          ])
        ]
      ])
    }
    let answers = firestore.ruleAnswers(of: database.project)
    guard let ruleset = given ?? firestore.rules.ruleset(of: database, as: answers) else {
      return .members([
        "allowed": .bool(answers == .emulator), "reason": "no rules are set", "allows": [],
        "reads": [],
      ])
    }
    let trace = RuleTrace()
    let decision = try decide(ruleset, firestore: firestore, trace: trace)
    var answer = JSONObject([
      "allowed": .bool(decision.isAllowed), "reason": .string(decision.description),
    ])
    answer.merge(RuleExplanation(ruleset).json(trace).object ?? JSONObject())
    if let issues = Firestore.issues(of: ruleset)["issues"] {
      answer.append("issues", value: issues)
    }
    return .object(answer)
  }

  private func decide(
    _ ruleset: Ruleset, firestore: Firestore, trace: RuleTrace
  ) throws(APIError) -> RuleDecision {
    let budget = RuleBudget.of(firestore.rules)
    let answers = firestore.ruleAnswers(of: self.database.project)
    let lookUp = TrialLookUp(
      firestore: firestore, database: database, changed: segments, isWrite: isWrite,
      after: after)
    let request = RuleValue.map(members(firestore))
    // A collection is judged by its rules alone, as a query without conditions.
    guard segments.count.isMultiple(of: 2) else {
      return ruleset.permitsQuery(
        RuleQuery(.collection(segments)), databaseID: database.database, request: request,
        database: lookUp, as: answers, budget: budget, trace: trace)
    }
    let stored = try firestore.ruleValue(at: ResourcePath(database, segments: segments))
    let before = resource.map { $0 == .null ? .null : document($0) } ?? stored ?? .null
    return ruleset.isAllowed(
      method, path: segments, databaseID: database.database, request: request, resource: before,
      database: lookUp, as: answers, budget: budget, trace: trace)
  }

  private var isWrite: Bool { [.create, .update, .delete].contains(method) }

  private var after: RuleValue? { method == .delete ? nil : data.map(document) }

  private func document(_ data: RuleValue) -> RuleValue {
    guard case .map(let fields) = data else { return .null }
    return .document(at: segments, in: database.database, data: fields)
  }

  private func members(_ firestore: Firestore) -> [String: RuleValue] {
    let time =
      time.map { $0.milliseconds * 1000 } ?? firestore.now(of: database).inWholeMilliseconds
    let path = RuleValue.path(["databases", database.database, "documents"] + segments)
    var members = RuleRequest.get(path, auth: auth, time: time).members
    members["method"] = .string(method.rawValue)
    if method == .list {
      members["query"] = .map(["limit": .null, "offset": .int(0), "orderBy": .map([:])])
    }
    if isWrite {
      members["resource"] = after ?? (method == .delete ? .null : document(.map([:])))
      members["inTransaction"] = .bool(true)
    }
    return members
  }
}

/// What `get()` and its relatives see of the documents, with the one that would be written.
private struct TrialLookUp: RuleDatabase {
  let firestore: Firestore
  let database: DatabaseName
  let changed: [String]
  let isWrite: Bool
  let after: RuleValue?

  func document(_ path: [String], afterWrite: Bool) throws -> RuleValue? {
    if afterWrite, isWrite, path == changed { return after }
    let path = ResourcePath(database, segments: path)
    return path.isDocument ? try firestore.ruleValue(at: path) : nil
  }
}

extension Firestore {
  /// In a transaction of its own: what rules cost keeps no other waiting.
  fileprivate func ruleValue(at path: ResourcePath) throws(APIError) -> RuleValue? {
    try read { documents throws(APIError) in try documents.document(at: path)?.ruleValue }
  }

  /// What the requests so far had of the rules of a database, for an editor.
  package func ruleCoverageForEditor(of database: DatabaseName) -> JSON {
    let answers = ruleAnswers(of: database.project)
    guard let ruleset = rules.ruleset(of: database, as: answers) else { return ["files": []] }
    return RuleExplanation(ruleset).coverage(of: ruleset)
  }
}
