/// A rules file, read and ready to decide. https://firebase.google.com/docs/rules/rules-language
package struct Ruleset: Sendable {
  /// The file, as it was read.
  package let source: String
  private let declarations: Declarations
  private let counts = RuleCoverage()

  /// What the requests so far had evaluated.
  package var coverage: [RuleCoverage.Node] { counts.report(on: declarations) }

  /// - Throws: for anything that this library does not understand, wherever it stands.
  package init(source: String) throws(RuleSyntaxError) {
    self.source = source
    declarations = try Parser.parse(source)
  }

  /// Decides on a request that concerns one document.
  ///
  /// - Parameters:
  ///   - method: what is asked for; `.list` here means one document of a result that is at hand.
  ///   - path: the segments below `/databases/{database}/documents`.
  ///   - databaseID: the id of the database.
  ///   - request: the map behind `request`, with as many of the keys auth, resource, time, method,
  ///     path and query as apply.
  ///   - resource: the stored document as ``RuleValue/document(at:in:data:)`` or null.
  ///   - database: where conditions look up other documents.
  /// - Returns: the decision; a denial says why for each `allow` that was tried.
  package func isAllowed(
    _ method: RuleMethod, path: [String], databaseID: String = "(default)", request: RuleValue,
    resource: RuleValue, database: any RuleDatabase
  ) -> RuleDecision {
    let evaluator = Evaluator(
      declarations, request: .known(request), resource: .known(resource), knowledge: .complete,
      lookUps: LookUps(in: database, databaseID))
    return decide(method, path.map { .known($0) }, databaseID, evaluator)
  }

  /// Decides on a query: allowed only if the rules allow `list` for every document that fulfils the
  /// query's constraints, whether such documents exist or not ("rules are not filters").
  package func permitsQuery(
    _ query: RuleQuery, databaseID: String = "(default)", request: RuleValue,
    database: any RuleDatabase
  ) -> RuleDecision {
    let path = query.path(in: databaseID)
    let evaluator = Evaluator(
      declarations, request: .known(request), resource: .document,
      knowledge: query.knowledge(of: path, in: databaseID),
      lookUps: LookUps(in: database, databaseID))
    return decide(.list, path, databaseID, evaluator)
  }

  private func decide(
    _ method: RuleMethod, _ path: [PathElement], _ databaseID: String, _ evaluator: Evaluator
  ) -> RuleDecision {
    var evaluator = evaluator
    defer { counts.add(evaluator.seen) }
    var reasons: [RuleReason] = []
    let fullPath = ["databases", databaseID, "documents"].map(PathElement.known) + path
    for block in declarations.blocks {
      let allows = block.allows.filter { $0.methods.contains(method) }
      guard !allows.isEmpty,
        let wildcards = block.bindings(for: fullPath, version: declarations.version)
      else { continue }
      evaluator.wildcards = wildcards
      for allow in allows {
        let verdict = evaluator.verdict(on: allow)
        evaluator.note(allow.position, .bool(verdict.isGrant))
        switch verdict {
        case .grants: return .allowed
        case .refuses(let reason): reasons.append(reason)
        case .exceedsLimit(let reason):
          return .denied(reasons: evaluator.debugNotes + reasons + [reason])
        }
      }
    }
    return .denied(reasons: evaluator.debugNotes + reasons)
  }
}

extension Evaluator {
  fileprivate enum Verdict {
    case grants
    case refuses(RuleReason)
    case exceedsLimit(RuleReason)

    var isGrant: Bool { if case .grants = self { true } else { false } }
  }

  fileprivate mutating func verdict(on allow: AllowStatement) -> Verdict {
    guard let condition = allow.condition else { return .grants }
    do {
      switch try evaluate(condition) {
      case .known(.bool(true)): return .grants
      case .known(.bool(false)): return .refuses(RuleReason(allow.position, "false"))
      case .known(let value):
        return .refuses(
          RuleReason(condition.position, "bool is expected, found \(value.type.rawValue)"))
      case .oneOf, .document, .field, .unknown:
        return .refuses(RuleReason(allow.position, "not true of all documents of the query"))
      }
    } catch let error as EvaluationError {
      let reason = RuleReason(error.position ?? condition.position, error.message)
      return error.exceedsLimit ? .exceedsLimit(reason) : .refuses(reason)
    } catch {
      return .refuses(RuleReason(condition.position, "\(error)"))
    }
  }
}
