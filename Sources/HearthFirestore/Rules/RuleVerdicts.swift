import HearthCrypto
import HearthErrors
import HearthFirestoreRules
import HearthOperations

/// What rules have said to a request so far, where they cost too much to be evaluated in one
/// transaction of the store.
///
/// A transaction keeps all others waiting, so only a portion of the budget is spent in it. A
/// question that costs more is decided in a pool. Then the request is made again, and takes over
/// what was decided, as long as no document has changed on which that rests. Record 0032 has the
/// numbers.
///
/// A class, because several transactions of a request share it. It has no lock and stays with that
/// request: while the pool decides, the request waits. It holds one verdict for each question, and
/// no documents but those of a question that is pending.
final class RuleVerdicts {
  /// In units of the budget: a few milliseconds. Rules that people write cost a hundredth of it.
  private static let mostAtOnce = 200_000
  /// How often documents on which decisions rest may change before the request is given up.
  private static let mostChanges = 10

  /// A decision, with the versions of all documents that it rests on. Where these are the same, the
  /// same question has the same answer.
  struct Verdict {
    let refusal: APIError?
    /// Of the document that the question is about.
    let version: Int64?
    let lookedUp: [ResourcePath: Int64?]
    /// In units of the budget.
    let cost: Int
  }

  /// A question that goes on elsewhere.
  struct Pending {
    let question: RuleQuestion
    let ruleset: Ruleset
    /// With the documents that the request writes. Only these are taken over: its transaction is
    /// over when the question is decided.
    let lookUp: RuleLookUp
    /// What the request has spent and looked up before this question.
    let spent: Int
    let lookedUp: [ResourcePath: Int64?]
  }

  /// Whose decisions are made: those of the project when the request came.
  let answers: RuleAnswers
  /// What may still be spent in this transaction.
  private(set) var portion = RuleVerdicts.mostAtOnce
  let lines = RuleLineNotes()
  private var verdicts: [RuleQuestion.ID: Verdict] = [:]
  /// How often a decision could not be taken over, because a document had changed.
  private var changes = 0
  /// Of the rules that have decided.
  private var generation = 0
  private var pending: Pending?

  /// What is thrown to leave the transaction, which undoes its writes. Nobody else sees it.
  private static let paused = APIError(
    .internalError, message: "The rules are evaluated elsewhere.")

  private init(_ answers: RuleAnswers) { self.answers = answers }

  /// Forgets what other rules have said. To be called by each gate, before it asks.
  func begin(_ generation: Int) {
    if self.generation != generation { verdicts = [:] }
    self.generation = generation
  }

  /// What was decided about a question, as long as nothing has changed that it rests on. What was
  /// looked up is added to the rest.
  func verdict(
    on question: RuleQuestion, _ lookUp: RuleLookUp
  ) throws(APIError) -> Verdict? {
    guard let verdict = verdicts[question.id] else { return nil }
    if verdict.version == question.version, try lookUp.adopt(verdict.lookedUp) { return verdict }
    changes += 1
    return nil
  }

  /// Keeps what was decided in this transaction.
  func keep(_ verdict: Verdict, on question: RuleQuestion) {
    verdicts[question.id] = verdict
    portion = max(portion - verdict.cost, 0)
  }

  /// Notes where the evaluation stopped.
  ///
  /// - Returns: the error to leave the transaction with.
  func pause(at pending: Pending) -> APIError {
    self.pending = pending
    return Self.paused
  }

  /// Whether an error means that rules are to be evaluated elsewhere.
  var isPaused: Bool { pending != nil }

  /// Has the body ask rules, again and again until all that is too expensive for it has been
  /// decided in the pool. The body is one transaction of the store, and runs several times: it may
  /// have no other effects.
  ///
  /// - Throws: what the body throws; ABORTED where documents on which decisions rest never stay the
  ///   same; what the pool throws where it has no place.
  static func settle<Value>(
    in firestore: Firestore, database: DatabaseName,
    body: (RuleVerdicts) throws(APIError) -> Value
  ) async throws(APIError) -> Value {
    // Here, because nothing asks for the switches in a transaction of the store.
    let verdicts = RuleVerdicts(firestore.ruleAnswers(of: database.project))
    defer { EvaluatedRules.note(verdicts.lines) }
    while verdicts.changes <= mostChanges {
      verdicts.portion = mostAtOnce
      do throws(APIError) {
        return try body(verdicts)
      } catch {
        guard let pending = verdicts.pending else { throw error }
        verdicts.pending = nil
        try await firestore.rulesPool.run { () throws(APIError) in
          try verdicts.decide(pending, firestore: firestore)
        }
      }
    }
    throw Transactions.contention
  }

  private func decide(_ pending: Pending, firestore: Firestore) throws(APIError) {
    let lookUp = pending.lookUp.from(.store(firestore))
    // A request must not rest on two states: what it looked up before the pause has to be the same
    // still.
    guard try lookUp.adopt(pending.lookedUp) else {
      changes += 1
      return
    }
    // Without a portion: here only the limit of the request counts.
    let budget = RuleBudget.of(firestore.rules, spent: pending.spent, lines: lines)
    let refusal = pending.question.refusal(
      by: pending.ruleset, in: lookUp, as: answers, budget)
    verdicts[pending.question.id] = Verdict(
      refusal: refusal, version: pending.question.version, lookedUp: lookUp.versions,
      cost: budget.spent - pending.spent)
  }
}

extension RuleBudget {
  /// What the rules of a request may cost, of which some is spent.
  static func of(
    _ rules: RulesTable, spent: Int = 0, portion: Int? = nil, lines: RuleLineNotes? = nil
  ) -> RuleBudget {
    RuleBudget(
      limit: rules.budget, spent: spent, portion: portion,
      digests: RuleDigests(md5: { Digest.md5.hash($0) }, sha256: { Digest.sha256.hash($0) }),
      lines: lines)
  }
}
