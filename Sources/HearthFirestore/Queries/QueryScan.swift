import HearthErrors

/// A query while it is run: how far it has come, and what it has found.
///
/// It can stop anywhere and go on in another transaction, as long as no document of the query has
/// changed in between.
struct QueryScan {
  /// One alternative of the filter in one collection.
  private struct Part {
    let collection: Documents.Collection
    let tests: [FieldTest]
  }

  private let query: Query
  /// The documents of the result and those that the offset passes over; nil for all.
  private let wanted: Int?
  /// Too many alternatives are one filter over everything.
  private let alternatives: [[FieldTest]]
  /// What is left to read; nil before the first portion.
  private var parts: ArraySlice<Part>?
  /// Of the first of the parts, from where it goes on; nil where that has not begun.
  private var plan: QueryPlan?
  /// How many documents of that part match.
  private var count = 0
  private var found: [(document: EncodedDocument, position: [[UInt8]])] = []
  private var seen: Set<ResourcePath> = []
  /// Of the documents that were found, as they are in the store.
  private(set) var bytes = 0
  private var isSingle = true
  private var isSorted = true

  init(_ query: Query) {
    self.query = query
    let isNearest = query.nearest != nil
    wanted = isNearest ? nil : query.limit.map { $0.addingClamping(query.offset) }
    alternatives = query.filter.map { $0.conjunctions(limit: 100) ?? [[]] } ?? [[]]
  }

  /// Reads about so many documents, or bytes; large documents count as several.
  ///
  /// - Returns: whether nothing is left to read.
  mutating func advance(
    in documents: Documents, rows: Int = .max, bytes: Int = .max
  ) throws(APIError) -> Bool {
    if wanted == 0 { return true }
    if self.parts == nil { try begin(in: documents) }
    var parts = self.parts ?? []
    var left = (rows: rows, bytes: bytes)
    while let part = parts.first {
      if self.plan == nil { try begin(part, in: documents) }
      guard let plan = self.plan else { return true }
      let rest = try documents.scan(
        part.collection, range: plan.range, descending: plan.isDescending
      ) { document throws(APIError) in
        guard left.rows > 0, left.bytes > 0 else { return .pause }
        left.rows -= 1 + document.data.count >> 11
        left.bytes -= document.data.count
        return visit(document, plan: plan) ? .next : .stop
      }
      self.plan = rest.map(plan.from)
      self.parts = parts
      if rest != nil { return false }
      parts.removeFirst()
      self.parts = parts
    }
    return true
  }

  private mutating func begin(in documents: Documents) throws(APIError) {
    var parts: [Part] = []
    for collection in try documents.sources(of: query) {
      parts += alternatives.map { Part(collection: collection, tests: $0) }
    }
    isSingle = parts.count == 1
    isSorted = isSingle
    self.parts = parts[...]
  }

  private mutating func begin(_ part: Part, in documents: Documents) throws(APIError) {
    let plan = try QueryPlan.choose(
      query, tests: part.tests, isOnly: alternatives.count == 1, collection: part.collection,
      in: documents)
    if !plan.isOrdered { isSorted = false }
    count = 0
    self.plan = plan
  }

  /// - Returns: whether more documents of the part are wanted.
  private mutating func visit(_ document: EncodedDocument, plan: QueryPlan) -> Bool {
    guard let position = query.position(matching: document) else {
      // In the query's order nothing after its end can match.
      guard plan.isOrdered, plan.isOrderedThroughout, let end = query.end,
        let place = query.position(of: document)
      else { return true }
      return !query.isBehind(place, end: end)
    }
    if isSingle || seen.insert(document.path).inserted {
      found.append((document, position))
      bytes += document.data.count
    }
    count += 1
    return !(plan.isOrdered && count == wanted)
  }

  /// What was found, when nothing is left to read. It needs no transaction.
  func result() throws(APIError) -> QueryResult {
    var found = found
    if !isSorted { found.sort { query.precedes($0.position, $1.position) } }
    let documents = found.prefix(wanted ?? .max).map(\.document)
    if let nearest = query.nearest {
      return QueryResult(documents: try nearest.pick(from: documents))
    }
    let skipped = min(query.offset, documents.count)
    return QueryResult(
      documents: Array(documents.dropFirst(skipped).prefix(query.limit ?? .max)), skipped: skipped)
  }
}

extension Int {
  fileprivate func addingClamping(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
