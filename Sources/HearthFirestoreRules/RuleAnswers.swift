import HearthLimits

/// Whose decisions rules make, where the official emulator and production were seen to differ.
package enum RuleAnswers: Sendable {
  case emulator, production

  /// How many documents the decision about one document or one query may look up.
  func accessCalls(of method: RuleMethod) -> Limit {
    switch self {
    case .production where method == .list: .accessCallsOfRequest
    case .production, .emulator: .accessCalls
    }
  }

  /// Whether one look-up too many denies the whole request. Otherwise it is an error of the
  /// `allow` that made it.
  var deniesForAccessCalls: Bool { self == .emulator }

  /// Whether `get()` of a document that is missing is null. Otherwise it is an error.
  var getsNull: Bool { self == .production }

  /// Whether a function of the library works. Production compiles all of them.
  func knows(_ builtin: Builtin) -> Bool {
    self == .emulator || builtin.name != "math.isInfinite"
  }
}
