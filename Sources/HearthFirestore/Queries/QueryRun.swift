import HearthErrors

/// The documents of a result, in order.
struct QueryResult: Sendable {
  var documents: [EncodedDocument]
  /// How many the offset passed over.
  var skipped = 0

  /// As they are in the store.
  var bytes: Int { documents.reduce(0) { $0 + $1.data.count } }
}

/// Runs queries against the store.
extension Documents {
  /// All of it in this transaction.
  func run(_ query: Query) throws(APIError) -> QueryResult {
    var scan = QueryScan(query)
    _ = try scan.advance(in: self)
    return try scan.result()
  }

  func sources(of query: Query) throws(APIError) -> [Collection] {
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
    guard query.isOfWholeCollections else {
      let count = try run(query).documents.count
      return min(count, limit ?? .max)
    }
    var count = 0
    for source in try sources(of: query) { count += try self.count(source) }
    count = min(max(0, count - query.offset), query.limit ?? .max)
    return min(count, limit ?? .max)
  }
}

extension Query {
  /// Whether all documents of its collections are in the result, but for offset and limit.
  var isOfWholeCollections: Bool {
    filter == nil && start == nil && end == nil && nearest == nil && orders.count == 1
  }
}
