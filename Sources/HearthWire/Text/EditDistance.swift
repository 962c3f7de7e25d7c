extension String {
  /// How many letters have to be changed, added or left out to get the other word: for advice on
  /// mistyped names. Long texts are cut.
  package func editDistance(to other: String) -> Int {
    let first = Array(utf8.prefix(200))
    let second = Array(other.utf8.prefix(200))
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in second.indices {
        let change = diagonal + (second[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(change, diagonal + 1, row[column] + 1)
      }
    }
    return row[second.count]
  }
}

extension Sequence where Element == String {
  /// The name that a mistyped word most likely means: one that differs in few letters, or one that
  /// begins with the word. Nil where none is near.
  package func nearest(to word: String) -> String? {
    let word = word.lowercased()
    guard !word.isEmpty else { return nil }
    let most = Swift.max(1, Swift.min(word.count - 1, Swift.max(2, word.count / 3)))
    let ranked = map { ($0, word.editDistance(to: $0.lowercased())) }
    if let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= most { return best.0 }
    return word.count < 4 ? nil : first { $0.lowercased().hasPrefix(word) }
  }

  /// `; did you mean 'serve'?`, or nothing where no name is near.
  package func advice(on word: String) -> String {
    nearest(to: word).map { "; did you mean '\($0)'?" } ?? ""
  }
}
