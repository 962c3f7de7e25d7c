/// The operators that take two values and have no say in whether these are evaluated.
enum BinaryOperator: Sendable, Equatable {
  case equal
  case notEqual
  case comparison(Comparison)
  case add
  case subtract
  case multiply
  case divide
  case remainder
  case membership
}
