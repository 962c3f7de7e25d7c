import HearthErrors

/// The documents of a result, in order.
struct QueryResult: Sendable {
  var documents: [EncodedDocument]
  /// How many the offset passed over.
  var skipped = 0
}

/// Runs queries against the store.
extension Documents {
  func run(_ query: Query) throws(APIError) -> QueryResult {
    if let nearest = query.nearest {
      return QueryResult(documents: try nearest.pick(from: try matches(query, atMost: nil)))
    }
    let wanted = query.limit.map { $0.addingClamping(query.offset) }
    let found = try matches(query, atMost: wanted)
    let skipped = min(query.offset, found.count)
    return QueryResult(
      documents: Array(found.dropFirst(skipped).prefix(query.limit ?? .max)), skipped: skipped)
  }

  /// The first so many documents of a result, the offset not counted.
  private func matches(_ query: Query, atMost wanted: Int?) throws(APIError) -> [EncodedDocument] {
    if wanted == 0 { return [] }
    let sources = try sources(of: query)
    // Too many alternatives are one filter over everything.
    let alternatives = query.filter.map { $0.conjunctions(limit: 100) ?? [[]] } ?? [[]]
    let isSingle = sources.count == 1 && alternatives.count == 1
    var found: [(document: EncodedDocument, position: [[UInt8]])] = []
    var seen: Set<ResourcePath> = []
    var isSorted = isSingle
    for source in sources {
      for tests in alternatives {
        let plan = try QueryPlan.choose(
          query, tests, isOnly: alternatives.count == 1, source, in: self)
        if !plan.isOrdered { isSorted = false }
        var count = 0
        try scan(source, plan.range, descending: plan.isDescending) {
          document throws(APIError) in
          guard let position = query.position(matching: document) else {
            // In the query's order nothing behind its end can match.
            if plan.isOrdered, plan.isOrderedThroughout, let end = query.end,
              let place = query.position(of: document),
              query.isBehind(place, end)
            {
              return false
            }
            return true
          }
          if isSingle || seen.insert(document.path).inserted { found.append((document, position)) }
          count += 1
          return !(plan.isOrdered && count == wanted)
        }
      }
    }
    if !isSorted { found.sort { query.precedes($0.position, $1.position) } }
    return found.prefix(wanted ?? .max).map(\.document)
  }

  private func sources(of query: Query) throws(APIError) -> [Collection] {
    if query.allDescendants {
      return try collections(below: query.parent, collectionId: query.collectionId)
    }
    var names: [String] = []
    if let collectionId = query.collectionId {
      names = [collectionId]
    } else {
      names = try children(of: query.parent, after: nil, limit: .max)
    }
    var found: [Collection] = []
    for name in names {
      if let collection = try find(query.parent.appending(name)) { found.append(collection) }
    }
    return found
  }

  /// The number of documents in a result; without a filter they are counted and not read.
  func count(_ query: Query, upTo limit: Int?) throws(APIError) -> Int {
    let isPlain =
      query.filter == nil && query.start == nil && query.end == nil && query.nearest == nil
      && query.orders.count == 1
    guard isPlain else {
      let count = try run(query).documents.count
      return min(count, limit ?? .max)
    }
    var count = 0
    for source in try sources(of: query) { count += try self.count(source) }
    count = min(max(0, count - query.offset), query.limit ?? .max)
    return min(count, limit ?? .max)
  }
}

extension Int {
  fileprivate func addingClamping(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
