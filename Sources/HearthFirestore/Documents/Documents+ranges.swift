import HearthSQLite

extension Documents.Range {
  /// What is left of a range when a row of its scan comes next.
  func rest(from row: ResultRow, descending: Bool) -> Documents.Range {
    switch self {
    case .names(let from, let to):
      let name: String = row[0]
      return descending ? .names(from: from, to: name) : .names(from: name, to: to)
    case .keys(let from, let to):
      let key: [UInt8] = row[4]
      // The upper bound is not in the range: what comes next after a key is that and a zero byte.
      return descending ? .keys(from: from, to: key + [0]) : .keys(from: key, to: to)
    }
  }
}
