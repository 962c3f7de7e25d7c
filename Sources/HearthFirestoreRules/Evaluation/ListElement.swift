/// An element as lists compare it: numbers by value, but what has elements itself as `==` does.
struct ListElement: Hashable {
  let value: RuleValue

  static func == (left: ListElement, right: ListElement) -> Bool {
    switch (left.value, right.value) {
    case (.int, .float), (.float, .int): left.value == right.value
    default: left.value.isIdentical(to: right.value)
    }
  }

  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension RuleValue {
  /// The same as `isIdentical(to:_:)`, without its budget: a method of a list has paid for its
  /// arguments before.
  fileprivate func isIdentical(to other: RuleValue) -> Bool {
    switch (self, other) {
    case (.int, .float), (.float, .int): false
    case (.float(let a), .float(let b)): a == b
    case (.list(let a), .list(let b)): a.elementsEqual(b) { $0.isIdentical(to: $1) }
    case (.map(let a), .map(let b)):
      a.count == b.count && a.allSatisfy { b[$0.key]?.isIdentical(to: $0.value) == true }
    default: self == other
    }
  }
}
