import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf

/// What queries mean, by looking at every document.
extension Model {
  typealias Order = (path: ModelPath, isDescending: Bool)

  func run(
    _ query: StructuredQuery, parent: String = Rig.database.documents,
    aggregating aggregated: [ModelPath] = []
  ) -> [ModelDocument] {
    let orders = Self.orders(of: query, aggregating: aggregated)
    let found =
      inOrder
      .filter { Self.covers(query, parent: parent, name: $0.name) }
      .filter { !query.hasWhere || Self.holds(query.where, for: $0) }
      .filter { Self.isWithin(query, orders: orders, document: $0) }
      .compactMap { document -> (document: ModelDocument, place: [Value])? in
        let place = orders.compactMap { document.find($0.path) }
        return place.count == orders.count ? (document, place) : nil
      }
      .sorted { left, right in
        for (index, order) in orders.enumerated() {
          let sign = ModelOrder.compare(left.place[index], right.place[index])
          if sign != 0 { return (sign < 0) != order.isDescending }
        }
        return false
      }
      .map(\.document)
      .dropFirst(Int(query.offset))
    return Array(query.hasLimit ? found.prefix(Int(query.limit.value)) : found[...])
  }

  private static func covers(_ query: StructuredQuery, parent: String, name: String) -> Bool {
    guard let source = query.from.first, name.utf8.starts(with: (parent + "/").utf8) else {
      return false
    }
    let rest = name.utf8.dropFirst(parent.utf8.count + 1).split(separator: UInt8(ascii: "/"))
    guard rest.count >= 2, source.allDescendants || rest.count == 2 else { return false }
    return source.collectionID.isEmpty
      || rest[rest.count - 2].elementsEqual(source.collectionID.utf8)
  }

  /// The given orders, then the fields of inequalities, then the name, in the last direction.
  static func orders(
    of query: StructuredQuery, aggregating aggregated: [ModelPath] = []
  ) -> [Order] {
    var orders = query.orderBy.map {
      (path: ModelPath($0.field.fieldPath), isDescending: $0.direction == .descending)
    }
    let last = orders.last?.isDescending ?? false
    var implied: [ModelPath] = query.hasWhere ? inequalities(query.where) : []
    implied.sort(by: ModelPath.precedes)
    let isPart = query.hasLimit || query.offset > 0
    if isPart, !orders.contains(where: { $0.path == .name }) {
      implied += aggregated.sorted(by: ModelPath.precedes)
    }
    implied.removeAll { $0 == .name }
    for path in implied + [.name] where !orders.contains(where: { $0.path == path }) {
      orders.append((path, last))
    }
    return orders
  }

  static func inequalities(_ filter: StructuredQuery.Filter) -> [ModelPath] {
    switch filter.filterType {
    case .compositeFilter(let composite)?: return composite.filters.flatMap(inequalities)
    case .fieldFilter(let test)?:
      return isInequality(test.op, operand: test.value.exact)
        ? [ModelPath(test.field.fieldPath)] : []
    case .unaryFilter(let test)?:
      return test.op == .isNotNull || test.op == .isNotNan ? [ModelPath(test.field.fieldPath)] : []
    case nil: return []
    }
  }

  /// What nothing fulfils is left out.
  private static func isInequality(
    _ op: StructuredQuery.FieldFilter.Operator, operand: String
  ) -> Bool {
    switch op {
    case .equal, .in, .arrayContains, .arrayContainsAny: false
    case .notEqual: operand != "null"
    case .notIn: operand != Value.list([.nothing]).exact
    default: operand != "null" && operand != "NaN"
    }
  }

  // MARK: Filters

  private static func holds(
    _ filter: StructuredQuery.Filter, for document: ModelDocument
  ) -> Bool {
    switch filter.filterType {
    case .compositeFilter(let composite)?:
      return composite.op == .and
        ? composite.filters.allSatisfy { holds($0, for: document) }
        : composite.filters.contains { holds($0, for: document) }
    case .fieldFilter(let test)?:
      guard let value = document.find(ModelPath(test.field.fieldPath)) else { return false }
      return holds(test.op, value: value, operand: test.value)
    case .unaryFilter(let test)?:
      guard let value = document.find(ModelPath(test.field.fieldPath)) else { return false }
      return switch test.op {
      case .isNull: value.exact == "null"
      case .isNan: value.exact == "NaN"
      case .isNotNull: value.exact != "null"
      default: value.exact != "null" && value.exact != "NaN"
      }
    case nil: return false
    }
  }

  private static func holds(
    _ op: StructuredQuery.FieldFilter.Operator, value: Value, operand: Value
  ) -> Bool {
    let order = ModelOrder.compare(value, operand)
    let isUnordered = operand.exact == "null" || operand.exact == "NaN"
    let isComparable =
      ModelOrder.rank(value) == ModelOrder.rank(operand) && value.exact != "NaN" && !isUnordered
    let isNull = ModelOrder.rank(value) == 0
    func isAmong(_ values: [Value], one: Value) -> Bool {
      values.contains { ModelOrder.compare($0, one) == 0 }
    }
    // Null and NaN are found by tests of their own only.
    let operands = operand.arrayValue.values
    let findable = operands.filter { $0.exact != "null" && $0.exact != "NaN" }
    return switch op {
    case .equal: order == 0 && !isUnordered
    case .notEqual: (order != 0 || isUnordered) && !isNull && operand.exact != "null"
    case .lessThan: isComparable && order < 0
    case .lessThanOrEqual: isComparable && order <= 0
    case .greaterThan: isComparable && order > 0
    case .greaterThanOrEqual: isComparable && order >= 0
    case .in: isAmong(findable, one: value)
    // A null among the operands excludes everything.
    case .notIn: !isNull && !isAmong(operands, one: .nothing) && !isAmong(findable, one: value)
    case .arrayContains: !isUnordered && isAmong(value.arrayValue.values, one: operand)
    default: value.arrayValue.values.contains { isAmong(findable, one: $0) }
    }
  }

  // MARK: Cursors

  private static func isWithin(
    _ query: StructuredQuery, orders: [Order], document: ModelDocument
  ) -> Bool {
    if query.hasStartAt {
      let place = compare(document, cursor: query.startAt, orders: orders)
      if place < 0 || place == 0 && !query.startAt.before { return false }
    }
    if query.hasEndAt {
      let place = compare(document, cursor: query.endAt, orders: orders)
      if place > 0 || place == 0 && query.endAt.before { return false }
    }
    return true
  }

  private static func compare(
    _ document: ModelDocument, cursor: Google_Firestore_V1_Cursor, orders: [Order]
  ) -> Int {
    for (value, order) in zip(cursor.values, orders) {
      guard let own = document.find(order.path) else { continue }
      let sign = ModelOrder.compare(own, value) * (order.isDescending ? -1 : 1)
      if sign != 0 { return sign }
    }
    return 0
  }

  // MARK: Projections and aggregations

  /// The fields that a query shows.
  static func shown(_ document: ModelDocument, by query: StructuredQuery) -> ModelDocument {
    guard query.hasSelect else { return document }
    var shown = document
    shown.fields = [:]
    for path in query.select.fields.map({ ModelPath($0.fieldPath) }) where path != .name {
      if let value = document.find(path) {
        shown.fields = shown.fields.replacing(path, with: value)
      }
    }
    return shown
  }

  static func paths(_ aggregations: [Aggregation]) -> [ModelPath] {
    aggregations.compactMap { aggregation in
      switch aggregation.operator {
      case .sum(let sum)?: ModelPath(sum.field.fieldPath)
      case .avg(let average)?: ModelPath(average.field.fieldPath)
      default: nil
      }
    }
  }

  /// Only documents that have all of the aggregated fields count.
  /// https://firebase.google.com/docs/firestore/query-data/aggregation-queries
  func aggregate(
    _ query: StructuredQuery, parent: String, aggregations: [Aggregation]
  ) -> Fields {
    let paths = Self.paths(aggregations)
    let rows = run(query, parent: parent, aggregating: paths)
      .filter { document in paths.allSatisfy { document.find($0) != nil } }
    var result: Fields = [:]
    for aggregation in aggregations {
      switch aggregation.operator {
      case .count(let count)?:
        let limit = count.hasUpTo ? count.upTo.value : .max
        result[aggregation.alias] = .int(min(limit, Int64(rows.count)))
      case .sum(let sum)?:
        result[aggregation.alias] = Self.sum(
          rows.compactMap { $0.find(ModelPath(sum.field.fieldPath)) })
      case .avg(let average)?:
        let values = rows.compactMap { $0.find(ModelPath(average.field.fieldPath)) }
        let count = values.compactMap(Self.number).count
        let sum = Self.number(Self.sum(values)) ?? 0
        result[aggregation.alias] = count == 0 ? .nothing : .float(sum / Double(count))
      case nil: break
      }
    }
    return result
  }

  /// An integer if all numbers are, and if their sum fits. The numbers of tests are multiples of a
  /// half: their sum is counted in halves.
  private static func sum(_ values: [Value]) -> Value {
    var halves: Int128 = 0
    var rest = 0.0
    var isWhole = true
    for value in values {
      switch value.valueType {
      case .integerValue(let next)?: halves += Int128(next) * 2
      case .doubleValue(let next)?:
        isWhole = false
        if next.isFinite { halves += Int128(next * 2) } else { rest += next }
      default: continue
      }
    }
    if isWhole, let whole = Int64(exactly: halves / 2) { return .int(whole) }
    return .float(rest == 0 ? Double(halves) / 2 : rest)
  }
}
