extension Comparison {
  /// Whether it is true of two values in this order.
  func holds(for order: Order) -> Bool {
    switch self {
    case .less: order == .before
    case .lessOrEqual: order != .after
    case .greater: order == .after
    case .greaterOrEqual: order != .before
    }
  }

  /// The one that means the same with its operands exchanged.
  var mirrored: Comparison {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether it is true of small values on the left.
  var asksForLess: Bool {
    switch self {
    case .less, .lessOrEqual: true
    case .greater, .greaterOrEqual: false
    }
  }
}
