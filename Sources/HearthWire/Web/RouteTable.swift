/// What a row needs so that a table can find it.
package protocol RouteRow: Sendable {
  var method: String { get }
  var template: PathTemplate { get }
}

/// Finds the row of a request, by its method and its path.
package struct RouteTable<Row: RouteRow>: Sendable {
  package enum Match {
    case found(Row, variables: [String: String])
    /// The path is known, the method is not.
    case wrongMethod(allowed: [String])
    case unknown
  }

  private let rows: [Row]
  private let index: TemplateIndex

  package init(_ rows: [Row]) {
    self.rows = rows
    index = TemplateIndex(
      rows.indices.map { place in
        TemplateIndex.Entry(
          rows[place].method, template: rows[place].template, place: place)
      })
  }

  package func match(method: String, path: Substring) -> Match {
    switch index.match(method: method, path: path) {
    case .found(let place, let variables): .found(rows[place], variables: variables)
    case .wrongMethod(let allowed): .wrongMethod(allowed: allowed)
    case .unknown: .unknown
    }
  }
}
