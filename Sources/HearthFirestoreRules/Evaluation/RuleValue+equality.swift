extension RuleValue {
  /// The language's `==`: an int equals the float that it rounds to, but inside of lists and maps
  /// ints and floats differ. A diff equals nothing, as in the official emulator.
  func equals(_ other: RuleValue, budget: RuleBudget) throws -> Bool {
    switch (self, other) {
    case (.int(let a), .float(let b)), (.float(let b), .int(let a)):
      try budget.spend(1)
      return Double(a) == b
    default: return try isIdentical(to: other, budget)
    }
  }

  private func isIdentical(to other: RuleValue, _ budget: RuleBudget) throws -> Bool {
    switch (self, other) {
    case (.list(let a), .list(let b)):
      try budget.spend(1)
      guard a.count == b.count else { return false }
      // No shortcut for shared storage: a NaN in it equals nothing.
      for (left, right) in zip(a, b) {
        guard try left.isIdentical(to: right, budget) else { return false }
      }
      return true
    case (.map(let a), .map(let b)):
      try budget.spend(1)
      guard a.count == b.count else { return false }
      for (key, left) in a {
        try budget.spend(lookingUp: key)
        guard let right = b[key], try left.isIdentical(to: right, budget) else { return false }
      }
      return true
    case (.set, .set):
      try budget.spend(reading: self)
      try budget.spend(reading: other)
      return self == other
    case (.int, .float), (.float, .int), (.mapDiff, .mapDiff): return false
    // Unlike in a set, NaN equals nothing.
    case (.float(let a), .float(let b)):
      try budget.spend(1)
      return a == b
    default:
      try budget.spend(1 + surfaceSize / 32)
      return self == other
    }
  }

  /// Whether a list has the element; as a set does it, numbers compare by value.
  func contains(_ value: RuleValue, budget: RuleBudget) throws -> Bool {
    switch self {
    case .list(let elements):
      for element in elements where try element.equals(value, budget: budget) { return true }
      return false
    case .set(let elements):
      try budget.spend(reading: value)
      return elements.contains(value)
    case .map(let fields):
      let key = try value.string()
      try budget.spend(lookingUp: key)
      return fields[key] != nil
    default: throw EvaluationError("'in' takes a list, set or map, found \(type.rawValue)")
    }
  }
}
