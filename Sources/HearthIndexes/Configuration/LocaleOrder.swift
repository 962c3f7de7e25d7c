/// What comes first of two.
enum Comparison {
  case before, same, after

  /// This comparison, or that of the other two where it does not decide.
  func then<Value: Comparable>(_ left: Value, _ right: Value) -> Comparison {
    guard self == .same else { return self }
    return left < right ? .before : right < left ? .after : .same
  }

  func then(_ other: @autoclosure () -> Comparison) -> Comparison { self == .same ? other() : self }
}

/// The order of JavaScript's `localeCompare` for names of collections and fields: signs, digits,
/// letters of either case, and only then small letters before capitals. Letters outside of ASCII come
/// last, in the order of their code points.
enum LocaleOrder {
  private static let signs = Array("_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".utf8)

  static func compare(_ left: String, _ right: String) -> Comparison {
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    for (left, right) in zip(left, right) {
      let comparison = Comparison.same.then(rank(left), rank(right))
      if comparison != .same { return comparison }
    }
    let lengths = Comparison.same.then(left.count, right.count)
    if lengths != .same { return lengths }
    for (left, right) in zip(left, right) where left != right {
      // The same letter: the small one, which has the larger code.
      return Comparison.same.then(right.value, left.value)
    }
    return .same
  }

  private static func rank(_ scalar: Unicode.Scalar) -> UInt32 {
    guard scalar.isASCII else { return 1000 + scalar.value }
    let byte = UInt8(truncatingIfNeeded: scalar.value)
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return 100 + UInt32(byte)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      return 300 + UInt32(byte | 0x20)
    default: return UInt32(signs.firstIndex(of: byte).map { $0 + 1 } ?? 0)
    }
  }
}
