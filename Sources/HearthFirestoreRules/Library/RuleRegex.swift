import HearthRegex

/// A pattern for `matches`, `replace` and `split`. The budget of the rules pays for its work.
struct RuleRegex {
  private let pattern: RegexPattern

  init(_ text: String, budget: RuleBudget = RuleBudget()) throws(EvaluationError) {
    do throws(RegexError) { pattern = try RegexPattern(text) } catch {
      throw EvaluationError(error.description)
    }
    // To read a pattern takes microseconds for each character.
    try budget.spend(100 + 20 * text.utf8.count + pattern.size)
  }

  func matchesWhole(_ text: String, budget: RuleBudget) throws(EvaluationError) -> Bool {
    try budget.pay { work throws(RegexError) in try pattern.matchesWhole(text, work: &work) }
  }

  func replaceAll(
    in text: String, with replacement: String, _ budget: RuleBudget
  ) throws(EvaluationError) -> String {
    try budget.pay { work throws(RegexError) in
      try pattern.replaceAll(in: text, with: replacement, &work)
    }
  }

  func split(_ text: String, budget: RuleBudget) throws(EvaluationError) -> [String] {
    try budget.pay { work throws(RegexError) in try pattern.split(text, work: &work) }
  }
}

extension RuleBudget {
  /// A search that ends when the budget does.
  fileprivate func pay<Value>(
    _ search: (inout RegexWork) throws(RegexError) -> Value
  ) throws(EvaluationError) -> Value {
    var work = RegexWork(limit: left)
    let result: Result<Value, RegexError>
    do throws(RegexError) { result = .success(try search(&work)) } catch {
      result = .failure(error)
    }
    // Throws where the search ended because nothing is left.
    try spend(work.spent)
    do throws(RegexError) { return try result.get() } catch {
      throw EvaluationError(error.description)
    }
  }
}
