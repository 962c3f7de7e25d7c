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
