import HearthLimits

/// The documents that one request has looked up.
struct LookUps {
  let database: any RuleDatabase
  let databaseID: String
  private let answers: RuleAnswers
  /// How many documents there may be.
  private let most: Limit
  private var found: [Key: RuleValue?] = [:]
  private var paths: Set<[String]> = []

  private struct Key: Hashable {
    let path: [String]
    let afterWrite: Bool
  }

  /// For one decision about a request of that method.
  init(
    in database: any RuleDatabase, _ databaseID: String, for method: RuleMethod,
    as answers: RuleAnswers
  ) {
    self.database = database
    self.databaseID = databaseID
    self.answers = answers
    most = answers.accessCalls(of: method)
  }

  /// The document as `resource` shows it, nil if there is none.
  mutating func document(
    _ path: RuleValue, afterWrite: Bool, budget: RuleBudget
  ) throws -> RuleValue? {
    let key = Key(path: try relative(try path.path()), afterWrite: afterWrite)
    if let value = found[key] { return value }
    guard paths.contains(key.path) || paths.count < most.value else {
      throw EvaluationError(most.refusal(), exceedsLimit: answers.deniesForAccessCalls)
    }
    paths.insert(key.path)
    do {
      let value = try database.document(key.path, afterWrite: afterWrite)
      found[key] = .some(value)
      // It was read, and made a value of the language.
      if let value { for _ in 0..<3 { try budget.spend(reading: value) } }
      return value
    } catch let error as EvaluationError {
      throw error
    } catch {
      throw EvaluationError(
        "the look-up failed: \(error)", exceedsLimit: answers.deniesForAccessCalls)
    }
  }

  /// The segments below `/databases/{database}/documents`.
  private func relative(_ path: [String]) throws -> [String] {
    let prefix = ["databases", databaseID, "documents"]
    guard path.starts(with: prefix) else {
      throw EvaluationError("a path begins with /databases/\(databaseID)/documents")
    }
    let rest = path.dropFirst(prefix.count)
    // A segment with a slash would lead elsewhere than the rule shows.
    let isSound = rest.allSatisfy { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "/")) }
    guard !rest.isEmpty, rest.count.isMultiple(of: 2), isSound else {
      throw EvaluationError("this is not the path of a document")
    }
    return Array(rest)
  }
}
