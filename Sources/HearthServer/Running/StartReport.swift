import HearthSettings
import Synchronization

/// What the start has found, for those who print it. A class, because the start writes and its
/// starter reads.
final class StartReport: Sendable {
  private struct State {
    var hasImported = false
    var rules: String?
  }

  private let state = Mutex(State())

  /// Whether the import brought accounts or documents.
  var hasImported: Bool {
    get { state.withLock(\.hasImported) }
    set { state.withLock { $0.hasImported = newValue } }
  }

  /// The rules that a seed has set for the default project: their file and the seed; nil for none.
  var rulesOfSeed: String? {
    get { state.withLock(\.rules) }
    set { state.withLock { $0.rules = newValue } }
  }
}

extension Hearth {
  /// Whether `--import` brought anything.
  package var hasImported: Bool { report.hasImported }

  /// Which rules of Firestore hold for the default project at the start, a line for each database
  /// that has rules of its own.
  package var rulesInForce: [String] {
    // They come before those of files, for all databases.
    if let rules = report.rulesOfSeed { return [rules] }
    let databases = configuration.databaseRules.sorted { $0.key < $1.key }
    let standard = configuration.rulesPath ?? configuration.rulesText.map { _ in "given as text" }
    let others = databases.isEmpty ? "none" : "none for other databases"
    return [standard ?? "\(others): \(configuration.effectWithoutRules)"]
      + databases.map { "\($0.value) (\($0.key))" }
  }

  /// What to tell users who do not see the banner; nil where rules hold or Firestore is open.
  package var warningAboutRules: String? {
    guard configuration.refusesWithoutRules, configuration.only.contains("firestore"),
      report.rulesOfSeed == nil, configuration.rulesPath == nil, configuration.rulesText == nil
    else { return nil }
    return "rules: \(rulesInForce[0]) (--rules FILE sets them)"
  }
}
