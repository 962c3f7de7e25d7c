/// Refuses patterns that Swift's `Regex` takes and RE2 does not, or reads in another way.
enum RE2Dialect {
  private static let maximumNesting = 50
  private static let foreign = ["(?=", "(?!", "(?<=", "(?<!", "(?>", "(?|", "\\k", "\\g", "\\K"]

  static func check(_ pattern: String) throws {
    for construct in foreign where pattern.contains(construct) {
      throw EvaluationError("'\(construct)' is not part of RE2's regular expressions")
    }
    var rest = Array(pattern.unicodeScalars)[...]
    var depth = 0
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\":
        if let next = rest.popFirst(), ("1"..."9").contains(next) {
          throw EvaluationError("back references are not part of RE2's regular expressions")
        }
      case "[": try skipClass(&rest)
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
      // Swift's parser of patterns is recursive.
      if depth > maximumNesting { throw EvaluationError("a regular expression nested too deeply") }
    }
  }

  /// Passes over a class `[...]`. Swift's may be nested and joined by operators, where RE2 sees
  /// plain characters.
  private static func skipClass(_ rest: inout ArraySlice<Unicode.Scalar>) throws {
    if rest.first == "^" { rest.removeFirst() }
    if rest.first == "]" { throw EvaluationError("']' in a class is written '\\\\]' here") }
    while let scalar = rest.popFirst() {
      switch (scalar, rest.first) {
      case ("]", _): return
      case ("\\", _): _ = rest.popFirst()
      case ("[", ":"): rest = rest.drop { $0 != "]" }.dropFirst()
      case ("[", _): throw EvaluationError("'[' in a class is written '\\\\[' here")
      case ("&", "&"), ("-", "-"), ("~", "~"):
        throw EvaluationError("'\(scalar)\(scalar)' in a class is not supported")
      default: break
      }
    }
  }
}
