/// What is odd in a rules file that loads all the same, in the words of Google's compiler.
package struct RuleWarning: Sendable, Equatable, CustomStringConvertible {
  /// 1-based; nil where it concerns the whole file.
  package let place: Place?
  package let message: String

  package struct Place: Sendable, Equatable {
    package let line: Int
    /// Counted in Unicode scalars.
    package let column: Int
    /// How many scalars the word has.
    package let length: Int
  }

  package var description: String {
    place.map { "\($0.line):\($0.column): \(message)" } ?? message
  }
}

extension RuleWarning {
  init(_ message: String) {
    self.init(place: nil, message: message)
  }

  /// `what: word.`, at the word.
  init(_ position: SourcePosition, word: String, what: String) {
    self.init(position, length: word.unicodeScalars.count, message: "\(what): \(word).")
  }

  init(_ position: SourcePosition, length: Int, message: String) {
    self.init(
      place: Place(line: position.line, column: position.column, length: length),
      message: message)
  }
}
