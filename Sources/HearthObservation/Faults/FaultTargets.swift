import HearthWire

/// The operations that faults can be for.
package struct FaultTargets: Sendable {
  /// The ids of operations, sorted.
  package let all: [String]

  package init(_ ids: some Sequence<String>) { all = Set(ids).sorted() }

  /// Operations of dialects are named in their definitions, so anything may be one.
  private static let dialects = "dialect."

  /// Whether a pattern is for any operation.
  package func hasMatch(_ pattern: FaultPattern) -> Bool {
    pattern.text.hasPrefix(Self.dialects) || all.contains(where: pattern.matches)
  }

  /// The operations that somebody may have meant, the nearest first.
  package func near(_ pattern: FaultPattern) -> [String] {
    let given = pattern.text.filter { $0 != "*" }.lowercased()
    let word = Self.lastWord(given)
    let ranked = all.map { id in
      let name = id.lowercased()
      let whole = given.editDistance(to: name)
      return (
        id: id, distance: min(whole, word.editDistance(to: Self.lastWord(name))), whole: whole
      )
    }
    let limit = max(1, word.count / 3)
    return ranked.filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.whole, $0.id) < ($1.distance, $1.whole, $1.id) }.prefix(3).map(
        \.id)
  }

  private static func lastWord(_ id: String) -> String {
    id.split(separator: ".").last.map(String.init) ?? id
  }
}
