import HearthErrors
import HearthFirestoreProtos

/// A walk along one index, or along several that are merged.
struct IndexWalk {
  /// The places of each index's entries in the order of the query.
  let members: [[[[UInt8]]]]
  let precedes: ([[UInt8]], [[UInt8]]) -> Bool

  /// How many entries are read until so many places were found that are in all indexes.
  func steps(until wanted: Int) -> Int {
    guard members.count > 1 else { return min(members.first?.count ?? 0, wanted) }
    guard wanted > 0, var target = members[0].first else { return 0 }
    var places = members.map { _ in 0 }
    var isUnread = members.map { _ in true }
    var steps = 0
    var found = 0
    while true {
      var isCommon = true
      for (member, entries) in members.enumerated() {
        var place = places[member]
        while place < entries.count, precedes(entries[place], target) { place += 1 }
        guard place < entries.count else { return steps }
        if isUnread[member] || place > places[member] { steps += 1 }
        isUnread[member] = false
        places[member] = place
        if precedes(target, entries[place]) { (target, isCommon) = (entries[place], false) }
      }
      guard isCommon else { continue }
      found += 1
      if found == wanted { return steps }
      for (member, entries) in members.enumerated() {
        places[member] += 1
        guard places[member] < entries.count else { return steps }
        steps += 1
        if precedes(target, entries[places[member]]) { target = entries[places[member]] }
      }
    }
  }
}

extension ExplainedPlan {
  /// The entries that are read for at most so many documents, and one after them that tells whether
  /// there are more.
  func entries(
    _ query: Query, aggregated: [FieldPath], in snapshot: Snapshot, wanted: Int?
  ) throws(APIError) -> Int {
    var count = 0
    for alternative in alternatives {
      let walk = try alternative.walk(query, aggregated: aggregated, in: snapshot)
      count += walk.steps(until: wanted ?? .max)
    }
    return count
  }
}

extension ExplainedPlan.Alternative {
  fileprivate func walk(
    _ query: Query, aggregated: [FieldPath], in snapshot: Snapshot
  ) throws(APIError) -> IndexWalk {
    let prefixes = indexes.reduce(into: Set()) { $0.formUnion($1.prefix) }
    var members: [[[[UInt8]]]] = []
    for index in indexes {
      let tests = tests.filter { index.prefix.contains($0.field) || !prefixes.contains($0.field) }
      var part = query.unlimited
      part.filter = tests.isEmpty ? nil : .all(tests.map { .test($0) })
      let found = try snapshot.run(part).documents.filter { document in
        aggregated.allSatisfy { document.value(at: $0) != nil }
          && (query.nearest?.hasVector(in: document) ?? true)
      }
      members.append(found.compactMap { query.position(of: $0) })
    }
    return IndexWalk(members: members) { query.precedes($0, $1) }
  }
}
