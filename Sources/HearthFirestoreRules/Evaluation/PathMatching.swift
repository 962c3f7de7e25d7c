/// A segment of the path that rules are matched against.
enum PathElement: Sendable, Equatable {
  case known(String)
  /// One segment of any text: the id of a document that a query returns.
  case any
  /// Any number of segments: where a collection group's collections may lie.
  case rest
}

extension MatchBlock {
  /// The values of the wildcards if the block covers every path of this form.
  func bindings(for path: [PathElement], version: Int) -> [Int: Term]? {
    Self.match(pattern[...], path: path[...], version: version)
  }

  private static func match(
    _ pattern: ArraySlice<PatternSegment>, path: ArraySlice<PathElement>, version: Int
  ) -> [Int: Term]? {
    guard let segment = pattern.first else { return path.isEmpty ? [:] : nil }
    if case .recursive(let wildcard) = segment {
      return matchRecursive(wildcard, pattern: pattern.dropFirst(), path: path, version: version)
    }
    guard let element = path.first, element != .rest else { return nil }
    var value = Term.unknown
    if case .known(let text) = element { value = .known(.string(text)) }
    if case .literal(let literal) = segment {
      guard case .known(let text) = element, text.hasSameBytes(as: literal) else { return nil }
    }
    guard var bindings = match(pattern.dropFirst(), path: path.dropFirst(), version: version) else {
      return nil
    }
    if case .single(let wildcard) = segment { bindings[wildcard] = value }
    return bindings
  }

  /// Tries how many elements the wildcard may take, few first.
  private static func matchRecursive(
    _ wildcard: Int, pattern: ArraySlice<PatternSegment>, path: ArraySlice<PathElement>,
    version: Int
  ) -> [Int: Term]? {
    for count in 0...path.count {
      let taken = path.prefix(count)
      // Version 1 wants a segment; where collections may lie there need not be one.
      guard version > 1 || taken.contains(where: { $0 != .rest }) else { continue }
      guard var bindings = match(pattern, path: path.dropFirst(count), version: version) else {
        continue
      }
      bindings[wildcard] = pathTerm(taken)
      return bindings
    }
    return nil
  }

  private static func pathTerm(_ elements: ArraySlice<PathElement>) -> Term {
    var segments: [String] = []
    for element in elements {
      guard case .known(let segment) = element else { return .unknown }
      segments.append(segment)
    }
    return .known(.path(segments))
  }
}
