import HearthFirestoreRules
import HearthOperations
import Synchronization

/// The lines of a rules file that were evaluated for a call.
package struct EvaluatedLines: Sendable {
  private static let most = 256

  /// Of the counts that the evaluations went into; another one for other rules, and after each reset.
  private var era = 0
  private var lines: [UInt16] = []

  package init() {}

  init(_ notes: RuleLineNotes) {
    era = notes.era
    lines = notes.lines
  }

  package var isEmpty: Bool { lines.isEmpty }

  /// What they take in memory.
  package var bytes: Int { lines.count * 2 }

  /// Whether a line was evaluated, in the era that `ruleset` has now.
  func has(_ line: Int, of ruleset: Ruleset) -> Bool {
    era == ruleset.era && lines.contains { Int($0) == line }
  }

  /// Lines of other rules take the place of those that are there. Returns whether any is new.
  @discardableResult package mutating func add(_ other: EvaluatedLines) -> Bool {
    guard other.era == era else {
      if !other.isEmpty { self = other }
      return !other.isEmpty
    }
    let before = lines.count
    for line in other.lines where lines.count < Self.most && !lines.contains(line) {
      lines.append(line)
    }
    return lines.count > before
  }
}

/// Collects which lines of the rules one call has had evaluated.
///
/// As for ``MissedIndexes``, rules are asked far below the place that notes the call: so the hearer is
/// a value of the task.
package final class EvaluatedRules: Sendable {
  package typealias Hearer = @Sendable (EvaluatedLines) -> Void

  @TaskLocal private static var hearer: Hearer?

  private let noted = Mutex(EvaluatedLines())

  package init() {}

  package var lines: EvaluatedLines { noted.withLock(\.self) }

  /// Carries out a call, and collects the lines.
  package func collect<Answer>(
    isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> Answer
  ) async rethrows -> Answer {
    try await Self.hear({ lines in self.noted.withLock { _ = $0.add(lines) } }, during: call)
  }

  /// Carries out a call that may go on for hours.
  package static func hear<Answer>(
    _ hearer: @escaping Hearer, isolation: isolated (any Actor)? = #isolation,
    during call: () async throws -> Answer
  ) async rethrows -> Answer {
    try await $hearer.withValue(hearer, operation: call)
  }

  static func note(_ notes: RuleLineNotes) {
    if !notes.lines.isEmpty { hearer?(EvaluatedLines(notes)) }
  }
}
