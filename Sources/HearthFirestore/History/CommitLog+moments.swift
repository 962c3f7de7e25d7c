/// Moments of the past by the machine's time, in microseconds: those of a project may go back.
extension CommitLog {
  /// Whether ``states(of:atMoment:until:)`` can tell, for every database of a project.
  func reaches(_ moment: Int64, of project: String, until end: Int64?) -> Bool {
    histories(of: project).allSatisfy { $0.value.entries(afterMoment: moment, until: end) != nil }
  }

  /// What each document was at a moment, of those that changed between it and `end`; nil for now.
  ///
  /// - Returns: nil when commits of that time are forgotten, or a snapshot was restored in it.
  func states(
    of project: String, atMoment moment: Int64, until end: Int64?
  ) -> [ResourcePath: StoredDocument?]? {
    var states: [ResourcePath: StoredDocument?] = [:]
    for (_, history) in histories(of: project) {
      guard let entries = history.entries(afterMoment: moment, until: end) else { return nil }
      for effect in entries.lazy.flatMap(\.effects) where states[effect.path] == nil {
        guard let before = effect.stateBefore else { return nil }
        states[effect.path] = .some(before)
      }
    }
    return states
  }
}
