import HearthIndexes

/// A document of the naive machine: a name, and fields with small numbers or sets of them.
struct NaiveDocument {
  let name: Int
  let fields: [IndexedPath: Int]
  let elements: [IndexedPath: Set<Int>]

  func value(_ path: IndexedPath) -> Int? {
    path.isName ? name : fields[path] ?? elements[path].map { $0.reduce(0) { $0 | 1 << $1 } }
  }
}

/// A query of the naive machine: what must be equal, contained or greater, and the order.
struct NaiveQuery {
  var equal: [IndexedPath: Int] = [:]
  var element: (path: IndexedPath, value: Int)?
  var greater: [IndexedPath: Int] = [:]
  var orders: [QueryShape.Order] = []

  var shape: QueryShape {
    var tests = equal.keys.sorted().map { QueryShape.Test($0, comparison: .equal) }
    if let element { tests.append(.init(element.path, comparison: .contains)) }
    tests += greater.keys.sorted().map { .init($0, comparison: .greater) }
    return QueryShape(
      "c", scope: .collection, filter: tests.isEmpty ? nil : .all(tests.map { .test($0) }),
      orders: orders)
  }

  /// The names of the result in order, found by looking at every document.
  func result(in documents: [NaiveDocument]) -> [Int] {
    let order = shape.effectiveOrder
    let found = documents.filter { document in
      equal.allSatisfy { document.value($0.key) == $0.value }
        && greater.allSatisfy { (document.value($0.key) ?? .min) > $0.value }
        && order.allSatisfy { document.value($0.path) != nil }
        && (element.map { document.elements[$0.path]?.contains($0.value) ?? false } ?? true)
    }
    return found.sorted { left, right in
      for part in order {
        guard let first = left.value(part.path), let second = right.value(part.path),
          first != second
        else { continue }
        return (first < second) != part.isDescending
      }
      return false
    }.map(\.name)
  }
}

/// Reads indexes, and nothing but indexes.
struct IndexMachine {
  private struct Entry {
    let name: Int
    let values: [Int]
  }

  let documents: [NaiveDocument]

  private func entries(_ fields: [IndexField]) -> [Entry] {
    var entries: [Entry] = []
    for document in documents {
      var keys: [[Int]] = [[]]
      for field in fields {
        let values =
          field.mode == .contains
          ? Array(document.elements[field.path] ?? [])
          : [document.value(field.path)].compactMap(\.self)
        keys = keys.flatMap { key in values.map { key + [$0] } }
      }
      entries += keys.map { Entry(name: document.name, values: $0) }
    }
    return entries.sorted { left, right in
      for (position, field) in fields.enumerated()
      where left.values[position] != right.values[position] {
        return (left.values[position] < right.values[position]) != (field.mode == .descending)
      }
      return false
    }
  }

  /// The names that a scan of an index gives: one range of it, of what is equal, in the order that it
  /// has; nil where these entries are not one range. What is greater may be picked from the range.
  func scan(_ fields: [IndexField], for query: NaiveQuery) -> [Int]? {
    let entries = entries(fields)
    let matches = entries.map { entry in
      zip(fields, entry.values).allSatisfy { field, value in
        if field.mode == .contains { return query.element.map { $0.value == value } ?? false }
        return query.equal[field.path].map { $0 == value } ?? true
      }
    }
    guard let first = matches.firstIndex(of: true), let last = matches.lastIndex(of: true) else {
      return []
    }
    guard matches[first...last].allSatisfy(\.self) else { return nil }
    return entries[first...last].filter { entry in
      zip(fields, entry.values).allSatisfy { field, value in
        field.mode == .contains || query.greater[field.path].map { value > $0 } ?? true
      }
    }.map(\.name)
  }

  /// Whether the indexes give the result: each list has all of it and comes in its order, and together
  /// they have no more.
  func canAnswer(_ query: NaiveQuery, with indexes: [[IndexField]]) -> Bool {
    let wanted = query.result(in: documents)
    let places = Dictionary(wanted.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    let order = query.shape.effectiveOrder.filter { query.equal[$0.path] == nil }
    let scans = indexes.compactMap { scan($0, for: query) }.filter { names in
      let kept = names.compactMap { places[$0] }
      return kept.count == wanted.count && kept == kept.sorted() && isOrdered(names, by: order)
    }.map(Set.init)
    guard let first = scans.first else { return false }
    return scans.dropFirst().reduce(first) { $0.intersection($1) } == Set(wanted)
  }

  /// Lists can be merged only where all of their names come in the query's order.
  private func isOrdered(_ names: [Int], by order: [QueryShape.Order]) -> Bool {
    let known = Dictionary(documents.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    return zip(names, names.dropFirst()).allSatisfy { left, right in
      for part in order {
        guard let first = known[left]?.value(part.path), let second = known[right]?.value(part.path)
        else { return false }
        if first != second { return (first < second) != part.isDescending }
      }
      return true
    }
  }
}
