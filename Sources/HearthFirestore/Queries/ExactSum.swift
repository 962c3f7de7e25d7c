/// A sum of numbers without rounding, so that their order does not matter: doubles are added as
/// multiples of the least one, integers as integers.
struct ExactSum {
  /// Base 2³², the lowest digit first; the lowest bit is 2⁻¹⁰⁷⁴. Carries wait until the end: there
  /// is room for 2³¹ additions.
  private var digits = [Int64](repeating: 0, count: 72)
  /// The sum of infinities and NaN, and zero for all others.
  private var infinities = 0.0
  private var integers: Int128 = 0
  private var hasDoubles = false
  private(set) var count = 0

  /// The exponent of the lowest bit of the lowest digit.
  private static let lowest = -1074

  mutating func add(_ value: Int64) {
    count += 1
    integers += Int128(value)
  }

  mutating func add(_ value: Double) {
    count += 1
    hasDoubles = true
    guard value.isFinite else {
      infinities += value
      return
    }
    let isNormal = value.exponentBitPattern > 0
    let significand = value.significandBitPattern | (isNormal ? 1 << 52 : 0)
    let exponent = isNormal ? Int(value.exponentBitPattern) - 1 : 0
    Self.add(UInt128(significand), at: exponent, isNegative: value.sign == .minus, to: &digits)
  }

  /// The sum where only integers were added, and it fits.
  var integer: Int64? { hasDoubles ? nil : Int64(exactly: integers) }

  /// The double nearest to the sum.
  var double: Double {
    guard hasDoubles else { return Double(integers) }
    guard infinities == 0 else { return infinities }
    var digits = digits
    let magnitude = integers.magnitude
    for part in 0..<4 {
      Self.add(
        magnitude >> (32 * UInt128(part)) & 0xFFFF_FFFF, at: 32 * part - Self.lowest,
        isNegative: integers < 0, to: &digits)
    }
    return Self.nearest(to: digits)
  }

  /// Adds at most 96 bits, the lowest of them at that bit.
  private static func add(
    _ magnitude: UInt128, at bit: Int, isNegative: Bool, to digits: inout [Int64]
  ) {
    let (index, shift) = bit.quotientAndRemainder(dividingBy: 32)
    let shifted = magnitude << UInt128(shift)
    for part in 0..<3 {
      let digit = Int64(shifted >> (32 * UInt128(part)) & 0xFFFF_FFFF)
      digits[index + part] += isNegative ? -digit : digit
    }
  }

  private static func nearest(to digits: [Int64]) -> Double {
    var (carried, carry) = carried(digits)
    let isNegative = carry < 0
    if isNegative { (carried, carry) = Self.carried(digits.map(-)) }
    guard let top = carried.lastIndex(where: { $0 != 0 }) else { return 0 }
    // Three digits are more than a double holds; whether anything is below decides a tie.
    let base = max(0, top - 2)
    var leading: UInt128 = 0
    for index in (base..<base + 3).reversed() { leading = leading << 32 | UInt128(carried[index]) }
    if carried[..<base].contains(where: { $0 != 0 }) { leading |= 1 }
    return Double(
      sign: isNegative ? .minus : .plus, exponent: 32 * base + lowest,
      significand: Double(leading))
  }

  /// The digits within 0..<2³², and what is left over: negative for a negative number.
  private static func carried(_ digits: [Int64]) -> (digits: [Int64], rest: Int64) {
    var carry: Int64 = 0
    let carried = digits.map { digit in
      let sum = digit + carry
      carry = sum >> 32
      return sum & 0xFFFF_FFFF
    }
    return (carried, carry)
  }
}
