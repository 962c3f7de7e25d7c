import HearthErrors
import HearthFirestoreRules
import HearthWire

/// What rules are asked about one document or one query. It holds all that the answer depends on
/// but for look-ups, so that it can be decided on another thread.
struct RuleQuestion: Sendable {
  enum Subject: Sendable {
    /// Without `resource` where reading the document is an error: of one that is missing and that a
    /// query names. A missing one that is read has a `resource` of null.
    case document(RuleMethod, path: [String], resource: RuleValue?)
    case query(RuleQuery)
  }

  /// What tells the questions of a request apart, also when it asks them again. It holds no
  /// version: a decision that no longer holds is replaced.
  struct ID: Hashable, Sendable {
    let method: RuleMethod
    var path: [String] = []
    /// The number of the write, or of the part of the query.
    var part = 0
    /// The target of a listener.
    var target: Int32 = 0
  }

  let id: ID
  /// Of the document, before the request, in microseconds; nil without one.
  var version: Int64?
  let subject: Subject
  /// What rules see as `request`. If the question is decided in a pool, its time is that of the
  /// attempt that asked.
  let request: [String: RuleValue]

  /// Why rules refuse it; nil when they allow it, or when the budget pauses: then nothing is
  /// decided.
  ///
  /// A refusal is decided a second time, to explain it in the request log. To trace every decision
  /// would cost all those that allow. The message names each `allow` that was tried; with
  /// production's answers it is short, as it is there.
  func refusal(
    by ruleset: Ruleset, in lookUp: RuleLookUp, as answers: RuleAnswers, _ budget: RuleBudget
  ) -> APIError? {
    let decision = decision(of: ruleset, in: lookUp, answers: answers, budget: budget, trace: nil)
    guard !decision.isAllowed, !budget.isPaused else { return nil }
    let plain = APIError.denied.message
    var error = APIError(.permissionDenied, message: "\(plain) (\(decision.description))")
      .inProduction(plain)
    let trace = RuleTrace(mostNodes: 100)
    _ = self.decision(of: ruleset, in: lookUp, answers: answers, budget: budget, trace: trace)
    error.explain(RuleExplanation(ruleset).json(trace).text)
    return error
  }

  private func decision(
    of ruleset: Ruleset, in lookUp: RuleLookUp, answers: RuleAnswers, budget: RuleBudget,
    trace: RuleTrace?
  ) -> RuleDecision {
    switch subject {
    case .document(let method, let path, let resource):
      ruleset.isAllowed(
        method, path: path, databaseID: lookUp.database.database, request: .map(request),
        resource: resource, database: lookUp, as: answers, budget: budget, trace: trace)
    case .query(let query):
      ruleset.permitsQuery(
        query, databaseID: lookUp.database.database, request: .map(request), database: lookUp,
        as: answers, budget: budget, trace: trace)
    }
  }
}
