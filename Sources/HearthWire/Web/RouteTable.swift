/// What a row needs so that a table can find it.
package protocol RouteRow: Sendable {
  var method: String { get }
  var template: PathTemplate { get }
}

/// Finds the row of a request: literal paths by hashing, the others by trying the templates of the
/// same number of segments, the most specific first.
package struct RouteTable<Row: RouteRow>: Sendable {
  package enum Match {
    case found(Row, variables: [String: String])
    /// The path is known, the method is not.
    case wrongMethod(allowed: [String])
    case unknown
  }

  package let rows: [Row]
  private var literal: [String: [Row]] = [:]
  /// With the open ones at their ends.
  private var bySegmentCount: [Int: [Row]] = [:]
  /// Those that end with `{name=**}`.
  private var open: [Row] = []

  package init(_ rows: [Row]) {
    self.rows = rows
    // Numbers are sorted, because comparing rows would ask each of them many times.
    let specificity = rows.map { $0.template.specificity }
    for index in rows.indices.sorted(by: { specificity[$0] > specificity[$1] }) {
      let row = rows[index]
      if row.template.isLiteral {
        literal[row.template.description, default: []].append(row)
      } else if case .rest? = row.template.segments.last {
        open.append(row)
      } else {
        bySegmentCount[row.template.segments.count, default: []].append(row)
      }
    }
    bySegmentCount = bySegmentCount.mapValues { $0 + open }
  }

  package func match(method: String, path: Substring) -> Match {
    if let rows = literal[String(path)] {
      if let row = rows.first(where: { $0.method == method }) { return .found(row, variables: [:]) }
      return .wrongMethod(allowed: rows.map(\.method))
    }
    if bySegmentCount.isEmpty, open.isEmpty { return .unknown }
    let segments = PathTemplate.split(path)
    var allowed: [String] = []
    var decided: Int?
    for row in bySegmentCount[segments.count] ?? open {
      // A less specific template must not answer for a path that a more specific one owns.
      if let decided, row.template.specificity < decided { break }
      guard let variables = row.template.match(segments) else { continue }
      if row.method == method { return .found(row, variables: variables) }
      decided = row.template.specificity
      allowed.append(row.method)
    }
    return allowed.isEmpty ? .unknown : .wrongMethod(allowed: allowed)
  }
}
