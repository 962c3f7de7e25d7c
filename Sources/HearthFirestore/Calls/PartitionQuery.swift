package import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

extension Firestore {
  package func partitionQuery(
    _ request: PartitionQueryRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> PartitionQueryResponse {
    let parent = try ResourcePath.parent(request.parent)
    let isProduction = answersAsProduction(parent.database.project)
    if isProduction { try request.checkAsProduction() }
    let listing = isProduction ? PageToken.Listing(request) : nil
    // Production looks at the token even where it has nothing to hand out.
    let early = isProduction ? try PageToken(request.pageToken, of: listing) : nil
    let judging = indexJudging(in: parent.database)
    let query = try Query(
      parent: parent, request.structuredQuery, readsNamesBackwards: judging != nil)
    try requireOwner(caller)
    try judging?.plan(query, by: caller, operation: "partitionQuery")?.requireIndexes()
    guard query.filter == nil, query.orders.count == 1, query.allDescendants, query.limit == nil,
      !query.orders[0].isDescending
    else {
      throw .invalid(
        "A query to partition must be of a collection group, ordered by name, and nothing else.")
    }
    guard request.partitionCount > 0 else { throw .invalid("partition_count must be positive.") }
    let reading = try begin(.now, in: parent.database, as: caller)
    let documents = try await run(query, reading: reading, caller: caller).result.documents
    guard request.pageSize >= 0 else { throw .negativePageSize }
    var count = Int(clamping: min(request.partitionCount, 1000))
    if isProduction { count = min(count, request.mostPoints(of: documents.count)) }
    guard count > 0, documents.count > count else { return PartitionQueryResponse() }
    let points = (1...count).map { documents[$0 * documents.count / (count + 1)].path.text }
    let token = try isProduction ? early : PageToken(request.pageToken)
    return try Self.page(
      of: points, after: token, pageSize: Int(request.pageSize), listing: listing)
  }

  private static func page(
    of points: [String], after token: PageToken?, pageSize: Int, listing: PageToken.Listing?
  ) throws(APIError) -> PartitionQueryResponse {
    var partitions = points[...]
    if let last = token?.place.last?.orderedBytes {
      partitions = partitions.drop { !last.isLess(than: Value.reference($0).orderedBytes) }
    }
    let size = pageSize == 0 ? partitions.count : pageSize
    var response = PartitionQueryResponse()
    response.partitions = partitions.prefix(size).map { name in
      .with {
        $0.values = [.reference(name)]
        $0.before = true
      }
    }
    if partitions.count > size, let last = partitions.prefix(size).last {
      response.nextPageToken = try PageToken(place: [.reference(last)], of: listing).text()
    }
    return response
  }
}

extension PageToken.Listing {
  fileprivate init(_ request: PartitionQueryRequest) {
    let groups = request.structuredQuery.from.map(\.collectionID)
    self.init([request.parent, String(request.partitionCount)] + groups)
  }
}
