import HearthFirestoreProtos
import HearthIndexes

extension Query {
  /// What decides which indexes the query needs; nil for collections of any id, which are read by
  /// name.
  func shape(aggregating fields: [FieldPath] = []) -> QueryShape? {
    guard let collectionId else { return nil }
    return QueryShape(
      collectionId, scope: allDescendants ? .collectionGroup : .collection, filter: filter?.shape,
      orders: orders.prefix(explicitOrders).map {
        QueryShape.Order($0.field.indexed, isDescending: $0.isDescending)
      },
      aggregated: fields.map(\.indexed), nearest: nearest?.shape)
  }
}

extension QueryFilter {
  fileprivate var shape: QueryShape.Filter {
    switch self {
    case .all(let filters): .all(filters.map(\.shape))
    case .any(let filters): .any(filters.map(\.shape))
    case .test(let test): .test(.init(test.field.indexed, comparison: test.shape))
    }
  }
}

extension FieldTest {
  /// A comparison that nothing can fulfil orders nothing, and counts as one of equality.
  fileprivate var shape: QueryShape.Comparison {
    guard comparison.isInequality || comparison.isOfElements else {
      switch comparison {
      case .equal where isOfNull: return .isNull
      case .equal where isOfNaN: return .isNaN
      case .oneOf where operands.count > 1: return .oneOf
      case .equal, .notEqual, .less, .greater, .contains, .containsAny, .oneOf, .notOneOf:
        return .equal
      }
    }
    return switch comparison {
    case .contains: .contains
    case .containsAny: .containsAny
    case .less(_, let orEqual): orEqual ? .lessOrEqual : .less
    case .greater(_, let orEqual): orEqual ? .greaterOrEqual : .greater
    case .notEqual where isOfNull: .isNotNull
    case .notEqual where isOfNaN: .isNotNaN
    case .notEqual: .notEqual
    case .notOneOf: .notIn
    case .equal, .oneOf: .equal
    }
  }

  private var isOfNull: Bool {
    if case .nullValue? = operands.first?.valueType { true } else { false }
  }

  private var isOfNaN: Bool {
    if case .doubleValue(let value)? = operands.first?.valueType { value.isNaN } else { false }
  }
}

extension NearestNeighbours {
  fileprivate var shape: QueryShape.Nearest { .init(field.indexed, dimension: dimension) }
}

extension FieldPath {
  var indexed: IndexedPath { IndexedPath(segments: segments) }
}
