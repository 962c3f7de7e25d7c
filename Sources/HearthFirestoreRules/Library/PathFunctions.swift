extension Builtin {
  static let pathFunctions: [Builtin] = [
    Builtin("path", arity: 1) { .path(try segments(of: try $0[0].string())) }
  ]

  static let pathMethods: [Builtin] = [
    Builtin("bind", arity: 1) { .path(try bound(try $0[0].path(), to: try $0[1].map())) }
  ]

  private static func segments(of text: String) throws -> [String] {
    // By bytes: a slash and a combining mark after it are one `Character`.
    var segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    if segments.first?.isEmpty == true { segments.removeFirst() }
    guard !segments.isEmpty, !segments.contains("") else {
      throw EvaluationError("'\(text)' is not a path")
    }
    return segments
  }

  /// A segment `{name}` or `$(name)` becomes the value of that name, or stays where none is given.
  private static func bound(
    _ segments: [String], to values: [String: RuleValue]
  ) throws -> [String] {
    var unused = Set(values.keys)
    let bound = try segments.map { segment in
      guard let name = placeholder(segment), let value = values[name] else { return segment }
      unused.remove(name)
      let text = try Builtin.text(value)
      guard !text.isEmpty else { throw EvaluationError("'\(name)' cannot be empty") }
      return text
    }
    if let name = unused.min() { throw EvaluationError("the path has no '{\(name)}'") }
    return bound
  }

  /// The name in a place for a value; nil for other segments.
  private static func placeholder(_ segment: String) -> String? {
    for (opening, closing) in [("{", "}"), ("$(", ")")]
    where segment.hasPrefix(opening) && segment.hasSuffix(closing) {
      return String(segment.dropFirst(opening.count).dropLast(closing.count))
    }
    return nil
  }
}
