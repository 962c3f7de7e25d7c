/// The operators that ask for the order of two values.
enum Comparison: Sendable {
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
}
