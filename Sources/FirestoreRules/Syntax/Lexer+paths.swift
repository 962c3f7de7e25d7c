extension Lexer {
  /// Whether a slash comes next that is not the beginning of a comment.
  var beginsPathSegment: Bool { peek() == "/" && peek(ahead: 1) != "/" && peek(ahead: 1) != "*" }

  /// Whether what follows a slash makes it part of a path: Google's compiler takes `4/2` for `4`
  /// and a path.
  var continuesPath: Bool {
    guard let next = peek() else { return false }
    return next.belongsToPathSegment || ["{", "$", "("].contains(next)
  }

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

  /// `{name}` in a path that is a value: a place for `bind()`. Nil if there is none.
  mutating func pathPlaceholder() -> String? {
    guard peek() == "{" else { return nil }
    let start = cursor
    skip()
    let name = take { $0.continuesIdentifier }
    if !name.isEmpty, skip("}") { return "{\(name)}" }
    cursor = start
    return nil
  }
}

extension Unicode.Scalar {
  var belongsToPathSegment: Bool {
    continuesIdentifier
      || ["&", "'", "*", "+", "-", ".", ":", "@", "~", "%"].contains(self)
  }
}
