/// Which lines of a rules file one request has had evaluated.
///
/// A class, because it is handed on beside the budget. Like that it has no lock and must not leave its
/// request.
package final class RuleLineNotes {
  /// More are not noted: rules that people write have fewer in all.
  private static let most = 256

  /// Of the counts that the evaluations went into; see ``Ruleset/era``.
  package private(set) var era = 0
  /// In the order in which they were evaluated first.
  package private(set) var lines: [UInt16] = []

  package init() {}

  /// Lines of other rules take the place of those that are there.
  func add(_ seen: [(SourcePosition, RuleCoverage.Outcome)], era: Int) {
    if self.era != era { lines = [] }
    self.era = era
    for (position, _) in seen where lines.count < Self.most {
      guard let line = UInt16(exactly: position.line), line != lines.last, !lines.contains(line)
      else { continue }
      lines.append(line)
    }
  }
}
