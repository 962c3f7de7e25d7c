extension JSON.ParseError {
  /// The place in the text that was parsed, as editors show it.
  ///
  /// - Returns: the line and the column, both counted from 1, the column in characters.
  package func position(in text: [UInt8]) -> (line: Int, column: Int) {
    let before = text.prefix(offset)
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (
      line: 1 + before.count { $0 == UInt8(ascii: "\n") },
      column: 1 + String(decoding: before[start...], as: UTF8.self).count
    )
  }
}
