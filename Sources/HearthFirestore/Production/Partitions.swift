import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

extension PartitionQueryRequest {
  /// What production refuses, in its words.
  func checkAsProduction() throws(APIError) {
    guard case .structuredQuery(let query)? = queryType else {
      throw .invalid("Query is required.")
    }
    guard partitionCount > 0 else {
      throw .invalid("Partition count must be greater than zero.")
    }
    guard pageSize >= 0 else { throw .negativePageSize }
    guard try ResourcePath.parent(parent).isRoot else {
      throw .invalid("Ancestor queries are not supported.")
    }
    guard query.from.allSatisfy(\.allDescendants), !query.from.isEmpty else {
      throw .invalid("Query must select all descendant collections.")
    }
    guard !query.hasLimit else { throw .invalid("Query limit is not supported.") }
    guard query.offset == 0 else { throw .invalid("Query offset is not supported.") }
    guard !query.hasSelect else { throw .invalid("Property masks are not supported.") }
    guard !query.hasStartAt else { throw .invalid("Query start cursors are not supported.") }
    guard !query.hasEndAt else { throw .invalid("Query end cursors are not supported.") }
  }

  /// How many points production gives at most. Few documents are one partition, and so are those of
  /// a query that names no order.
  func mostPoints(of documents: Int) -> Int {
    structuredQuery.orderBy.isEmpty ? 0 : documents / 100
  }
}
