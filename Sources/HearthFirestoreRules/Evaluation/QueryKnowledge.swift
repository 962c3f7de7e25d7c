/// What a query's constraints say of every document that it may return.
///
/// A constraint holds for existing fields of the constraint's type only; that is how Firestore's
/// indexes work. So it also says that the field exists, and of which type it is. (One case is left
/// out of account: NaN, which Firestore sorts below all numbers.)
struct QueryKnowledge {
  /// Nothing is open: the request concerns one document.
  static let complete = QueryKnowledge(
    constraints: [], documentID: .unknown, documentName: .unknown)

  let constraints: [FieldConstraint]
  let documentID: Term
  let documentName: Term

  /// The field's value as far as it is fixed.
  func value(of field: [String]) -> Term {
    if let values = valuesWithin(fixedMapAbove: field) { return Term(oneOf: values) }
    for condition in conditions(on: field) {
      switch condition {
      case .equal(let value):
        if let values = Self.valuesEqual(to: value) { return Term(oneOf: values) }
      case .oneOf(let values):
        let all = values.map(Self.valuesEqual(to:))
        if !all.contains(where: { $0 == nil }) {
          return Term(oneOf: all.compactMap(\.self).flatMap(\.self))
        }
      default: break
      }
    }
    return .field(field)
  }

  func exists(_ field: [String]) -> Bool {
    field.isEmpty || constraints.contains { $0.field.starts(with: field) }
  }

  /// All types that the field may have; nil if it may have any or be missing.
  func types(of field: [String]) -> [RuleType]? {
    let hasFields = constraints.contains {
      $0.field.count > field.count && $0.field.starts(with: field)
    }
    if field.isEmpty || hasFields { return [.map] }
    for condition in conditions(on: field) {
      switch condition {
      case .lessThan(let bound), .lessThanOrEqual(let bound), .greaterThan(let bound),
        .greaterThanOrEqual(let bound), .equal(let bound):
        return [.int, .float].contains(bound.type) ? [.int, .float] : [bound.type]
      case .arrayContains, .arrayContainsAny: return [.list]
      case .notEqual, .oneOf: break
      }
    }
    return nil
  }

  /// Nil if the constraints leave it open.
  func compare(_ field: [String], operation: BinaryOperator, to value: RuleValue) -> Bool? {
    switch operation {
    case .equal: isDistinct(field, from: value) ? false : nil
    case .notEqual: isDistinct(field, from: value) ? true : nil
    case .comparison(let comparison): order(field, comparison: comparison, value: value)
    case .membership:
      if case .list(let values) = value, values.allSatisfy({ isDistinct(field, from: $0) }),
        exists(field)
      {
        false
      } else {
        nil
      }
    case .add, .subtract, .multiply, .divide, .remainder: nil
    }
  }

  /// `value in field`, for a list or a map; true or open.
  func field(_ field: [String], contains value: RuleValue) -> Bool? {
    if case .string(let key) = value, exists(field + [key]) { return true }
    return self.field(field, hasAllOf: .list([value])) ? true : nil
  }

  func field(_ field: [String], hasAllOf values: RuleValue) -> Bool {
    guard let values = try? values.elements() else { return false }
    var contained: Set<RuleValue> = []
    for case .arrayContains(let element) in conditions(on: field) { contained.insert(element) }
    return !contained.isEmpty && values.isSubset(of: contained)
  }

  func field(_ field: [String], hasAnyOf values: RuleValue) -> Bool {
    guard let values = try? values.elements() else { return false }
    return conditions(on: field).contains { condition in
      switch condition {
      case .arrayContains(let element): values.contains(element)
      case .arrayContainsAny(let elements): !elements.isEmpty && values.isSuperset(of: elements)
      default: false
      }
    }
  }

  private func conditions(on field: [String]) -> [FieldConstraint.Condition] {
    constraints.filter { $0.field == field }.map(\.condition)
  }

  /// Whether the field certainly exists and has another value.
  private func isDistinct(_ field: [String], from value: RuleValue) -> Bool {
    if let types = types(of: field), !types.contains(value.type) { return true }
    return conditions(on: field).contains { condition in
      switch condition {
      // Also never null: a comparison with null is true of no document.
      case .notEqual(let other): value == other && value.isOrderedAsStored || value == .null
      default: condition.bound.map { $0.excludes(value) } ?? false
      }
    }
  }

  private func order(
    _ field: [String], comparison: Comparison, value: RuleValue
  ) -> Bool? {
    conditions(on: field).lazy.compactMap { $0.bound?.decides(comparison, other: value) }.first
  }

  /// What a field may be that lies in a map of which the query fixes the whole.
  private func valuesWithin(fixedMapAbove field: [String]) -> [RuleValue]? {
    for constraint in constraints where constraint.field.count < field.count {
      guard case .equal(var value) = constraint.condition, field.starts(with: constraint.field)
      else { continue }
      for name in field.dropFirst(constraint.field.count) {
        guard case .map(let members) = value, let member = members[name] else { return nil }
        value = member
      }
      return Self.valuesEqual(to: value)
    }
    return nil
  }

  /// The values that a query takes for equal to this one; nil where they are too many. It does not
  /// tell ints from floats, so each number may be either.
  private static func valuesEqual(to value: RuleValue) -> [RuleValue]? {
    var room = mostParts
    return valuesEqual(to: value, &room)
  }

  /// Parts of a value that are looked at, for each mention of the field in a rule. A query may be
  /// many megabytes.
  private static let mostParts = 1000
  private static let mostCombinations = 64

  private static func valuesEqual(to value: RuleValue, _ room: inout Int) -> [RuleValue]? {
    room -= 1
    guard room >= 0 else { return nil }
    switch value {
    case .int(let int):
      return Int64(exactly: Double(int)) == int ? [value, .float(Double(int))] : [value]
    case .float(let float):
      return Int64(exactly: float).map { [.int($0), value] } ?? [value]
    case .list(let elements): return combinations(of: elements, &room)?.map { .list($0) }
    case .map(let members):
      guard members.count <= room else { return nil }
      let names = Array(members.keys)
      return combinations(of: names.compactMap { members[$0] }, &room)?.map { values in
        .map(Dictionary(uniqueKeysWithValues: zip(names, values)))
      }
    case .set, .mapDiff: return nil
    default: return [value]
    }
  }

  private static func combinations(
    of values: [RuleValue], _ room: inout Int
  ) -> [[RuleValue]]? {
    guard values.count <= room else { return nil }
    var rows: [[RuleValue]] = [[]]
    for value in values {
      guard let candidates = valuesEqual(to: value, &room),
        rows.count * candidates.count <= mostCombinations
      else { return nil }
      if candidates.count == 1 {
        for index in rows.indices { rows[index] += candidates }
      } else {
        rows = rows.flatMap { row in candidates.map { row + [$0] } }
      }
    }
    return rows
  }
}
