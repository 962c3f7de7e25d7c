package import HearthIndexes

/// What the queries of a database have used and missed since the start.
package struct IndexNotes: Sendable {
  /// One query.
  struct Use {
    let shape: QueryShape
    let plan: IndexPlan
    let operation: String
    let caller: String
    /// Microseconds.
    let time: Int64
  }

  /// A shape of query that misses an index.
  package struct Missing: Sendable {
    /// The query without its values.
    package let query: String
    package let shape: QueryShape
    package let indexes: [MissingIndex]
    package let reason: String
    /// The operation and the caller that were the first.
    package let operation: String
    package let caller: String
    /// Microseconds.
    package let time: Int64
    package fileprivate(set) var count = 1

    var bytes: Int { 1024 + 2 * query.utf8.count + reason.utf8.count }
  }

  package private(set) var missing: [Missing] = []
  /// How many shapes are not in the list, for want of room.
  package private(set) var leftOut = 0
  /// How often each index was used.
  package private(set) var used: [ServingIndex: Int] = [:]
  private var places: [QueryShape: Int] = [:]

  private static let mostUsed = 4000

  /// About what the notes take in memory.
  private(set) var bytes = 0

  /// - Returns: what is missing, the first time.
  mutating func add(_ use: Use, hasRoom: Bool) -> Missing? {
    for index in Set(use.plan.disjuncts.flatMap(\.answer.indexes).map(\.unplaced))
    where used[index] != nil || used.count < Self.mostUsed {
      let count = used[index] ?? 0
      if count == 0 { bytes += 512 }
      used[index] = count + 1
    }
    let indexes = use.plan.missing
    guard !indexes.isEmpty else { return nil }
    if let place = places[use.shape] {
      missing[place].count += 1
      return nil
    }
    let query = use.shape.description
    guard hasRoom, query.utf8.count < 16_384 else {
      leftOut += 1
      return nil
    }
    let news = Missing(
      query: query, shape: use.shape, indexes: indexes, reason: use.plan.reason,
      operation: use.operation, caller: use.caller, time: use.time)
    places[use.shape] = missing.count
    missing.append(news)
    bytes += news.bytes
    return news
  }
}
