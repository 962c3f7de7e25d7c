extension Lexer {
  /// Whether a slash comes next that is not the beginning of a comment.
  var beginsPathSegment: Bool { peek() == "/" && peek(ahead: 1) != "/" && peek(ahead: 1) != "*" }

  /// Passes over the slash before the next segment of a `match`, and over the blanks that may stand
  /// before it, and before a wildcard. Says whether there was one.
  mutating func skipSlashOfMatch() throws(RuleSyntaxError) -> Bool {
    let start = cursor
    try skipBlanks()
    guard beginsPathSegment else {
      cursor = start
      return false
    }
    skip()
    let segment = cursor
    try skipBlanks()
    let isWildcard = peek() == "{" && peek(ahead: 1)?.beginsIdentifier == true
    if !isWildcard { cursor = segment }
    return true
  }

  /// Passes over the slash before the next segment of a path that is a value, and over the blanks
  /// before it. After it they may stand before `$` and `{` only: else the slash divides.
  mutating func skipSlashOfPath() throws(RuleSyntaxError) -> Bool {
    let start = cursor
    try skipBlanks()
    guard beginsPathSegment else {
      cursor = start
      return false
    }
    skip()
    let segment = cursor
    try skipBlanks()
    let isPlaceholder = peek() == "{" && peek(ahead: 1)?.beginsIdentifier == true
    if cursor == segment || isPlaceholder || peek() == "$" { return true }
    cursor = start
    return false
  }

  /// Passes over `$(`, which may have blanks in it.
  mutating func skipInterpolation() throws(RuleSyntaxError) -> Bool {
    let start = cursor
    if skip("$") {
      try skipBlanks()
      if skip("(") { return true }
    }
    cursor = start
    return false
  }

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
    continuesWord
      || ["&", "'", "*", "+", "-", ".", ":", "@", "~", "%"].contains(self)
  }
}
