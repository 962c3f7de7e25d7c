/// What is known of a value while rules are evaluated.
///
/// For a request that concerns one document everything is `known`. For a query, `resource` stands
/// for every document that the query may return, and a value may be known in part only. A term that
/// is not known may also stand for a failure: the field may be missing.
enum Term: Sendable {
  case known(RuleValue)
  /// One of these, which may differ from document to document; at least two.
  case oneOf([RuleValue])
  /// The `resource` of a query.
  case document
  /// The field of that document at this path, `[]` for `resource.data` itself.
  case field([String])
  /// The keys of the map in that field.
  case keys([String])
  case unknown

  /// All that it may be, if that can be listed.
  var candidates: [RuleValue]? {
    switch self {
    case .known(let value): [value]
    case .oneOf(let values): values
    case .document, .field, .keys, .unknown: nil
    }
  }

  /// For `debug()`.
  func description(limit: Int) -> String {
    switch self {
    case .known(let value): value.description(limit: limit)
    case .oneOf(let values):
      values.prefix(5).map { $0.description(limit: limit / 5) }.joined(separator: " or ")
    case .document: "resource"
    case .field(let field): Self.path(field)
    case .keys(let field): Self.path(field) + ".keys()"
    case .unknown: "unknown"
    }
  }

  private static func path(_ field: [String]) -> String {
    (["resource.data"] + field).joined(separator: ".")
  }

  init(oneOf values: [RuleValue]) {
    guard let first = values.first else {
      self = .unknown
      return
    }
    let agree = values.allSatisfy { $0 == first }
    // Numbers that are equal may still differ in type, so several of them stay several.
    self = values.count == 1 || agree && first.isOnlyEqualToItself ? .known(first) : .oneOf(values)
  }

  /// The result of a function on terms. Where several results are possible, all must succeed.
  static func combining(
    _ terms: [Term], body: ([RuleValue]) throws -> RuleValue
  ) throws -> Term {
    var rows: [[RuleValue]] = [[]]
    for term in terms {
      guard let candidates = term.candidates, rows.count * candidates.count <= 100 else {
        return .unknown
      }
      rows = rows.flatMap { row in candidates.map { row + [$0] } }
    }
    if rows.count == 1 { return .known(try body(rows[0])) }
    var results: [RuleValue] = []
    for row in rows {
      do { results.append(try body(row)) } catch let error as EvaluationError
        where !error.exceedsLimit
      {
        return .unknown
      }
    }
    return Term(oneOf: results)
  }
}

extension RuleValue {
  fileprivate var isOnlyEqualToItself: Bool {
    switch self {
    case .null, .bool, .string, .path: true
    default: false
    }
  }
}
