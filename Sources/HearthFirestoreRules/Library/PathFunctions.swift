extension Builtin {
  static let pathFunctions: [Builtin] = [
    Builtin("path", arity: 1) { .path(try segments(of: try $0[0].string())) }
  ]

  static let pathMethods: [Builtin] = [
    Builtin("bind", arity: 1) {
      let values = try $0[1].map()
      return .path(try $0[0].path().map { try bound($0, to: values) })
    }
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

  /// A segment `{name}` or `$(name)` becomes the value of that name.
  private static func bound(_ segment: String, to values: [String: RuleValue]) throws -> String {
    for (opening, closing) in [("{", "}"), ("$(", ")")]
    where segment.hasPrefix(opening) && segment.hasSuffix(closing) {
      let name = String(segment.dropFirst(opening.count).dropLast(closing.count))
      guard let value = values[name] else { throw EvaluationError("nothing is bound to '\(name)'") }
      return try Builtin.text(value)
    }
    return segment
  }
}
