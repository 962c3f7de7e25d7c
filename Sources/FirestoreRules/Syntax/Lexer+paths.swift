extension Lexer {
  /// Whether a slash comes next that is not the beginning of a comment.
  var beginsPathSegment: Bool { peek() == "/" && peek(ahead: 1) != "/" && peek(ahead: 1) != "*" }

  /// The text of a literal path segment at the cursor, without blanks; empty if there is none.
  ///
  /// `(default)` is one segment: the id of the usual database.
  mutating func pathSegment() -> String {
    if peek() == "(" {
      let start = cursor
      skip()
      let name = take { $0.belongsToPathSegment }
      if skip(")") { return "(\(name))" }
      cursor = start
      return ""
    }
    return take { $0.belongsToPathSegment }
  }
}

extension Unicode.Scalar {
  fileprivate var belongsToPathSegment: Bool {
    continuesIdentifier || self == "-" || self == "." || self == "~" || self == "@" || self == "%"
      || value > 0x7F && !properties.isWhitespace
  }
}
