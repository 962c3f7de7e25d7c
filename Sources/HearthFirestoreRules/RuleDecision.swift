/// The outcome of a check.
package enum RuleDecision: Sendable, Equatable {
  case allowed
  /// One reason for each `allow` that was tried; none when no `allow` covers the request.
  case denied(reasons: [RuleReason])

  package var isAllowed: Bool { self == .allowed }
}

/// Why one `allow` did not grant the request, for a log.
package struct RuleReason: Sendable, Equatable, CustomStringConvertible {
  /// 1-based place of the expression that failed, or of the `allow` whose condition was false.
  package let line: Int
  package let column: Int
  package let message: String

  package var description: String { "L\(line):\(column) \(message)" }
}

extension RuleDecision: CustomStringConvertible {
  package var description: String {
    switch self {
    case .allowed: "allowed"
    case .denied(let reasons) where reasons.isEmpty: "denied: no allow statement matches"
    case .denied(let reasons): "denied: " + reasons.map(\.description).joined(separator: "; ")
    }
  }
}
