/// A file of rules, as it was given.
package struct RuleFile: Sendable {
  /// The name of rules that were set without one.
  package static let standardName = "firestore.rules"

  package let name: String?
  package let content: String

  package init(name: String? = nil, content: String) {
    self.name = name
    self.content = content
  }
}

/// Rules files, read and ready to decide. https://firebase.google.com/docs/rules/rules-language
package struct Ruleset: Sendable {
  /// One file of them: each stands for itself, and what one of them allows is allowed.
  package struct Part: Sendable {
    package let file: RuleFile
    fileprivate let declarations: Declarations
    fileprivate let counts = RuleCoverage()

    /// What is odd in the file, in its order.
    package var warnings: [RuleWarning] { declarations.warnings }

    /// What the requests so far had evaluated.
    package var coverage: [RuleCoverage.Node] { counts.report(on: declarations) }
  }

  package let parts: [Part]

  /// Of the counts of the first file: another one for other rules, and after each reset.
  package var era: Int { parts.first?.counts.era ?? 0 }

  /// Lets the counts of all parts begin at zero.
  package func resetCoverage() {
    for part in parts { part.counts.reset() }
  }

  package init(source: String) throws(RuleSyntaxError) {
    try self.init(files: [RuleFile(content: source)])
  }

  /// - Throws: for what Google's compiler refuses too.
  package init(files: [RuleFile]) throws(RuleSyntaxError) {
    var parts: [Part] = []
    for file in files {
      var declarations = try Parser.parse(file.content)
      declarations.warnings.sort { $0.order < $1.order }
      parts.append(Part(file: file, declarations: declarations))
    }
    self.parts = parts
  }

  /// Decides on a request that concerns one document.
  ///
  /// - Parameters:
  ///   - method: what is asked for; `.list` here means one document of a result that is at hand.
  ///   - path: the segments below `/databases/{database}/documents`.
  ///   - databaseID: the id of the database.
  ///   - request: the map that `request` names, with as many of the keys auth, resource, time, method,
  ///     path and query as apply.
  ///   - resource: the stored document as ``RuleValue/document(at:in:data:)`` or null; nil where
  ///     reading it is an error.
  ///   - database: where conditions look up other documents.
  ///   - answers: whose decisions are made.
  ///   - budget: what the whole request may cost.
  ///   - trace: takes down how the decision is made; the report does not count it then.
  /// - Returns: the decision; a denial says why for each `allow` that was tried.
  package func isAllowed(
    _ method: RuleMethod, path: [String], databaseID: String = "(default)", request: RuleValue,
    resource: RuleValue?, database: any RuleDatabase, as answers: RuleAnswers = .emulator,
    budget: RuleBudget = RuleBudget(), trace: RuleTrace? = nil
  ) -> RuleDecision {
    decide(method, path: path.map { .known($0) }, databaseID: databaseID, trace: trace) {
      declarations in
      Evaluator(
        declarations, request: .known(request), resource: resource.map { .known($0) },
        knowledge: .complete,
        lookUps: LookUps(in: database, databaseID, for: method, as: answers), answers: answers,
        budget: budget, trace: trace)
    }
  }

  /// Decides on a query: allowed only if the rules allow `list` for every document that fulfils the
  /// query's constraints, whether such documents exist or not ("rules are not filters").
  package func permitsQuery(
    _ query: RuleQuery, databaseID: String = "(default)", request: RuleValue,
    database: any RuleDatabase, as answers: RuleAnswers = .emulator,
    budget: RuleBudget = RuleBudget(), trace: RuleTrace? = nil
  ) -> RuleDecision {
    let path = query.path(in: databaseID)
    let knowledge = query.knowledge(of: path, in: databaseID)
    return decide(.list, path: path, databaseID: databaseID, trace: trace) { declarations in
      Evaluator(
        declarations, request: .known(request), resource: .document, knowledge: knowledge,
        lookUps: LookUps(in: database, databaseID, for: .list, as: answers), answers: answers,
        budget: budget, trace: trace)
    }
  }

  private func decide(
    _ method: RuleMethod, path: [PathElement], databaseID: String, trace: RuleTrace?,
    evaluator: (Declarations) -> Evaluator
  ) -> RuleDecision {
    let path = ["databases", databaseID, "documents"].map(PathElement.known) + path
    var reasons: [RuleReason] = []
    for (index, part) in parts.enumerated() {
      var evaluator = evaluator(part.declarations)
      trace?.part = index
      let decision = evaluator.decide(method, path: path)
      // What is only explained was counted when it was decided; what stopped before its end will be.
      if trace == nil, !evaluator.budget.isPaused {
        let era = part.counts.add(evaluator.seen)
        if index == 0 { evaluator.budget.lines?.add(evaluator.seen, era: era) }
      }
      guard case .denied(let more) = decision else { return .allowed }
      reasons += more
    }
    return .denied(reasons: reasons)
  }
}

extension RuleWarning {
  /// What concerns the whole file comes first.
  fileprivate var order: (Int, Int) { place.map { ($0.line, $0.column) } ?? (0, 0) }
}

extension Evaluator {
  fileprivate mutating func decide(_ method: RuleMethod, path: [PathElement]) -> RuleDecision {
    var reasons: [RuleReason] = []
    for block in declarations.blocks {
      do { try budget.spend(block.pattern.count) } catch {
        return .denied(
          reasons: debugNotes + reasons + [RuleReason(SourcePosition(), message: "\(error)")])
      }
      let allows = block.allows.filter { $0.methods.contains(method) }
      guard !allows.isEmpty,
        let wildcards = block.bindings(for: path, version: declarations.version)
      else { continue }
      self.wildcards = wildcards
      for allow in allows {
        trace?.begin()
        let verdict = verdict(on: allow)
        trace?.end(allow, isGranted: verdict.isGrant, reason: verdict.reason)
        note(allow.position, outcome: .bool(verdict.isGrant))
        switch verdict {
        case .grants: return .allowed
        case .refuses(let reason): reasons.append(reason)
        case .exceedsLimit(let reason): return .denied(reasons: debugNotes + reasons + [reason])
        }
      }
    }
    return .denied(reasons: debugNotes + reasons)
  }

  private enum Verdict {
    case grants
    case refuses(RuleReason)
    case exceedsLimit(RuleReason)

    var isGrant: Bool { if case .grants = self { true } else { false } }

    var reason: RuleReason? {
      switch self {
      case .grants: nil
      case .refuses(let reason), .exceedsLimit(let reason): reason
      }
    }
  }

  private mutating func verdict(on allow: AllowStatement) -> Verdict {
    guard let condition = allow.condition else { return .grants }
    do {
      switch try evaluate(condition) {
      case .known(.bool(true)): return .grants
      case .known(.bool(false)): return .refuses(RuleReason(allow.position, message: "false"))
      case .known(let value):
        return .refuses(
          RuleReason(condition.position, message: "bool is expected, found \(value.type.rawValue)"))
      case .oneOf, .document, .field, .keys, .unknown:
        return .refuses(
          RuleReason(allow.position, message: "not true of all documents of the query"))
      }
    } catch let error as EvaluationError {
      let reason = RuleReason(error.position ?? condition.position, message: error.message)
      return error.exceedsLimit ? .exceedsLimit(reason) : .refuses(reason)
    } catch {
      return .refuses(RuleReason(condition.position, message: "\(error)"))
    }
  }
}
