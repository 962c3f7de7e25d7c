/// What the rules of one request may cost, whatever they are: a unit is about 100 ns of work, or a
/// byte of a value that is made. A count, not a clock, so that a request always has one outcome.
///
/// A class, because all evaluations of one request share it. They run one after the other, so it has
/// no lock and must not leave its request.
package final class RuleBudget {
  /// About a second, and 10 MB.
  package static let standard = 10_000_000

  private let limit: Int
  /// Where the evaluation stops: at the limit, or before it to be begun again elsewhere.
  private var bound: Int
  package private(set) var spent: Int
  /// Whether the evaluation stopped before the limit: what was decided since does not count.
  package private(set) var isPaused = false
  /// What `hashing.md5` and `hashing.sha256` are computed with; without it they are errors.
  private let digests: RuleDigests?
  /// Where the lines are noted that are evaluated; nil where nobody wants to know.
  let lines: RuleLineNotes?

  /// - Parameters:
  ///   - limit: what all of it may cost.
  ///   - spent: what of that was spent before.
  ///   - portion: what more may be spent before the evaluation stops to be begun again elsewhere; nil
  ///     where it may go on to the limit.
  ///   - digests: what computes digests.
  ///   - lines: notes which lines are evaluated.
  package init(
    limit: Int = RuleBudget.standard, spent: Int = 0, portion: Int? = nil,
    digests: RuleDigests? = nil, lines: RuleLineNotes? = nil
  ) {
    self.lines = lines
    self.limit = limit
    self.spent = spent
    bound = portion.map { min(limit, spent + $0) } ?? limit
    self.digests = digests
  }

  /// Counts what was spent elsewhere, beside the portion.
  package func charge(_ units: Int) {
    spent += units
    bound = min(limit, bound + units)
  }

  func requireDigests() throws -> RuleDigests {
    guard let digests else { throw EvaluationError("hashing is not available") }
    return digests
  }

  var left: Int { max(bound - spent, 0) }

  func spend(_ units: Int) throws(EvaluationError) {
    spent += units
    guard spent > bound else { return }
    isPaused = bound < limit
    throw EvaluationError(
      "more than the rules budget of \(limit) units of work", exceedsLimit: true)
  }

  /// To read a value to its end. Values share their parts: one that was doubled a hundred times is
  /// small in memory and endless to read.
  func spend(reading value: RuleValue) throws {
    switch value {
    case .list(let elements):
      // What reads them makes a set of them, mostly.
      try spend(1 + 2 * elements.count)
      for element in elements { try spend(reading: element) }
    case .set(let elements):
      try spend(1 + 2 * elements.count)
      for element in elements { try spend(reading: element) }
    case .map(let fields):
      try spend(1 + fields.count)
      for (key, field) in fields {
        try spend(lookingUp: key)
        try spend(reading: field)
      }
    default: try spend(1 + value.surfaceSize / 32)
    }
  }

  /// To find a key in a map: spellings of one character are looked for, which takes time.
  func spend(lookingUp key: String) throws { try spend(key.utf8.count / 2) }

  /// To keep a value that has just been made; what it holds was paid for before.
  func spend(making value: RuleValue) throws { try spend(value.surfaceSize) }
}

extension RuleValue {
  /// In bytes, without what it holds.
  var surfaceSize: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .path(let segments): segments.reduce(0) { $0 + 2 + $1.utf8.count }
    case .list(let elements): 8 * elements.count
    case .set(let elements): 16 * elements.count
    case .map(let fields): 32 * fields.count
    case .vector(let numbers): 8 * numbers.count
    case .mapDiff(let diff): 32 * diff.count
    default: 1
    }
  }
}
