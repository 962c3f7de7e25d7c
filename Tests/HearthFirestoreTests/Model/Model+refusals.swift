import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf

/// Which queries are refused, and with which status.
extension Model {
  static func refusal(
    of query: StructuredQuery, parent: String, aggregating aggregated: [ModelPath] = []
  ) -> Refusal? {
    let tests = query.hasWhere ? tests(query.where) : []
    let given = query.orderBy.map { ModelPath($0.field.fieldPath) }
    let orders = orders(of: query).map(\.path)
    let ranges = tests.filter(\.isRange).map(\.path)
    let isByName = tests.allSatisfy { $0.path == .name } && orders == [.name]
    let isBelow = parent != Rig.database.documents && query.from[0].allDescendants
    let isKindless = query.from[0].collectionID.isEmpty
    let nothingFollows =
      given.last == .name || isBelow || tests.contains { $0.path == .name }
    let isInvalid =
      given.dropLast().contains(.name)
      || given.last == .name && ranges.contains { $0 != .name && !given.contains($0) }
      || tests.contains { $0.path == .name && !$0.isRange }
        && !ranges.isEmpty && !ranges.contains(.name)
      || max(query.startAt.values.count, query.endAt.values.count) > given.count
      || isKindless && (!isByName || query.orderBy.contains { $0.direction == .descending })
      || isBelow && !isKindless && !isByName
      || nothingFollows && aggregated.contains { !orders.contains($0) }
      || query.hasSelect && !aggregated.isEmpty
      || query.hasWhere && contains(query.where, op: .notIn) && hasAlternatives(query.where)
    if isInvalid { return Refusal(status: "INVALID_ARGUMENT") }
    let isDescending = query.orderBy.first?.direction == .descending
    let isFixed = tests.contains { $0.path != .name && !$0.isRange }
    return given.first == .name && isDescending && !isFixed
      ? Refusal(status: "FAILED_PRECONDITION") : nil
  }

  private static func contains(
    _ filter: StructuredQuery.Filter, op: StructuredQuery.FieldFilter.Operator
  ) -> Bool {
    filter.fieldFilter.op == op
      || filter.compositeFilter.filters.contains { contains($0, op: op) }
  }

  private static func hasAlternatives(_ filter: StructuredQuery.Filter) -> Bool {
    filter.compositeFilter.op == .or
      || filter.compositeFilter.filters.contains(where: hasAlternatives)
  }

  private static func tests(
    _ filter: StructuredQuery.Filter
  ) -> [(path: ModelPath, isRange: Bool)] {
    switch filter.filterType {
    case .compositeFilter(let composite)?: composite.filters.flatMap(tests)
    case .fieldFilter(let test)?:
      [(ModelPath(test.field.fieldPath), !inequalities(filter).isEmpty)]
    case .unaryFilter(let test)?:
      [(ModelPath(test.field.fieldPath), !inequalities(filter).isEmpty)]
    case nil: []
    }
  }
}
