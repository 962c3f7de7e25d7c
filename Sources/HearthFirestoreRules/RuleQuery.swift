/// A query, as far as rules can reason about it: which documents it may return.
///
/// For a query with `or`, ask once for each branch of its disjunctive normal form.
package struct RuleQuery: Sendable {
  package enum Source: Sendable {
    /// The documents of one collection, by its path below `documents`.
    case collection([String])
    /// The documents of every collection with this id below a path (`[]` for the whole database).
    case collectionGroup(String, under: [String])
    /// The documents of all collections below a path, at any depth or only at the first.
    case all(under: [String], atAnyDepth: Bool)
  }

  package let source: Source
  /// All of these hold for every document that the query returns.
  package let constraints: [FieldConstraint]

  package init(_ source: Source, where constraints: [FieldConstraint] = []) {
    self.source = source
    self.constraints = constraints
  }
}

/// Something known of one field of every document that a query returns.
package struct FieldConstraint: Sendable {
  package enum Condition: Sendable {
    case equal(RuleValue)
    case notEqual(RuleValue)
    case oneOf([RuleValue])
    case lessThan(RuleValue)
    case lessThanOrEqual(RuleValue)
    case greaterThan(RuleValue)
    case greaterThanOrEqual(RuleValue)
    case arrayContains(RuleValue)
    case arrayContainsAny([RuleValue])
  }

  /// The segments of the field path; `["__name__"]` for the document's name, a `.path` value.
  package let field: [String]
  package let condition: Condition

  package init(_ field: [String], condition: Condition) {
    self.field = field
    self.condition = condition
  }
}
