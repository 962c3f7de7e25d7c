/// Why a rules file cannot be loaded, and where: the first offence found.
package struct RuleSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// 1-based.
  package let line: Int
  /// 1-based, counted in Unicode scalars.
  package let column: Int
  package let message: String

  package var description: String { "\(line):\(column): \(message)" }
}

extension RuleSyntaxError {
  init(_ position: SourcePosition, message: String) {
    self.init(line: position.line, column: position.column, message: message)
  }
}

/// A place in the rules file, 1-based.
struct SourcePosition: Sendable, Hashable {
  var line = 1
  var column = 1
}

extension SourcePosition: Comparable {
  static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A part of the rules file.
struct SourceSpan: Sendable, Hashable {
  let start: SourcePosition
  /// After the last character.
  let end: SourcePosition
}
