/// What one character has to be.
enum ScalarTest {
  case literal(Unicode.Scalar)
  case anyCase(Unicode.Scalar)
  case any
  case notNewline
  /// A class, such as `\d` or `[a-z]`.
  case oneOf(CharacterClass)

  func passes(_ scalar: Unicode.Scalar, work: inout RegexWork) throws(RegexError) -> Bool {
    switch self {
    case .literal(let wanted): return scalar == wanted
    case .anyCase(let wanted):
      if scalar == wanted { return true }
      return try Self.areSameLetter(scalar, other: wanted, work: &work)
    case .any: return true
    case .notNewline: return scalar != "\n"
    case .oneOf(let characters): return try characters.contains(scalar, work: &work)
    }
  }

  private static func areSameLetter(
    _ one: Unicode.Scalar, other: Unicode.Scalar, work: inout RegexWork
  ) throws(RegexError) -> Bool {
    try work.spend(4)
    return one.properties.lowercaseMapping == other.properties.lowercaseMapping
      || one.properties.uppercaseMapping == other.properties.uppercaseMapping
  }
}
