/// One end of the range in which a field lies.
struct RangeBound {
  let value: RuleValue
  let isUpper: Bool
  let isInclusive: Bool

  /// Whether a value lies beyond the bound.
  func excludes(_ other: RuleValue) -> Bool {
    guard value.isOrderedAsStored, other.isOrderedAsStored else { return false }
    guard let order = try? other.order(against: value) else { return false }
    return order == (isUpper ? .after : .before) || order == .same && !isInclusive
  }

  /// The outcome of `field comparison other`, if the bound alone tells.
  func decides(_ comparison: Comparison, other: RuleValue) -> Bool? {
    guard value.isOrderedAsStored, other.isOrderedAsStored,
      let order = try? value.order(against: other)
    else { return nil }
    // The bound itself is the value nearest to `other` that the field could have; what holds for
    // it holds for everything after it. If the field cannot reach it, only "same" is ruled out.
    if comparison.asksForLess == isUpper {
      return comparison.holds(for: order) || order == .same && !isInclusive ? true : nil
    }
    return !comparison.holds(for: order) || order == .same && !isInclusive ? false : nil
  }
}

extension RuleValue {
  /// Whether the language compares this and any other value as queries do. It rounds large ints
  /// beside floats and orders strings by UTF-16, queries do neither.
  var isOrderedAsStored: Bool {
    switch self {
    case .int(let value): value.magnitude < 1 << 53
    case .float(let value): value.magnitude < 0x1p53
    case .string(let text): text.unicodeScalars.allSatisfy { $0.value < 0xD800 }
    default: true
    }
  }
}

extension FieldConstraint.Condition {
  var bound: RangeBound? {
    switch self {
    case .lessThan(let value): RangeBound(value: value, isUpper: true, isInclusive: false)
    case .lessThanOrEqual(let value): RangeBound(value: value, isUpper: true, isInclusive: true)
    case .greaterThan(let value): RangeBound(value: value, isUpper: false, isInclusive: false)
    case .greaterThanOrEqual(let value): RangeBound(value: value, isUpper: false, isInclusive: true)
    case .equal, .notEqual, .oneOf, .arrayContains, .arrayContainsAny: nil
    }
  }
}
