package import HearthErrors
import HearthFirestoreProtos
import HearthTime
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  package func listCollectionIds(
    _ request: ListCollectionIdsRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> ListCollectionIdsResponse {
    let parent = try ResourcePath.parent(request.parent)
    try requireOwner(caller)
    guard request.pageSize >= 0 else {
      throw .invalid("page_size must be greater than or equal to zero.")
    }
    let isProduction = answersAsProduction(parent.database.project)
    // The official emulator has no page but the one that is asked for.
    let size =
      switch request.pageSize {
      case 0: isProduction ? 300 : Int.max
      case let wanted: isProduction ? min(1000, Int(wanted)) : Int(wanted)
      }
    var after: String?
    if let token = try PageToken(request.pageToken) {
      guard case .stringValue(let id)? = token.place.first?.valueType else {
        throw PageToken.fault
      }
      after = id
    }
    // Observed: a time before 1970, or one with nanoseconds, is a time like any other here.
    var time: Int64?
    if case .readTime(let wanted)? = request.consistencySelector {
      time = max(0, wanted.microseconds)
      guard wanted.seconds <= ReadTime.endOfTime else { throw ReadTime.inFuture }
      if isProduction { _ = try wanted.checkedMicroseconds() }
    }
    let reading = Reading(
      database: parent.database, transaction: nil, newTransaction: nil, time: time)
    // As with documents: only production looks whether there is more.
    let names = try read(reading) { snapshot throws(APIError) in
      try snapshot.segments(below: parent, after: after, limit: isProduction ? size + 1 : size)
    }.result
    var response = ListCollectionIdsResponse()
    response.collectionIds = Array(names.prefix(size))
    if names.count >= (isProduction ? size + 1 : size), let last = response.collectionIds.last {
      response.nextPageToken = try PageToken(place: [.with { $0.stringValue = last }]).text()
    }
    return response
  }
}
