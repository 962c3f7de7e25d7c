import FirestoreProtos
import Foundation
package import HearthCore
import SwiftProtobuf

extension Firestore {
  package func listCollectionIds(
    _ request: ListCollectionIdsRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> ListCollectionIdsResponse {
    let parent = try ResourcePath.parent(request.parent)
    try requireOwner(caller)
    if case .readTime? = request.consistencySelector {
      throw APIError(.notBuilt, message: "ListCollectionIds knows only the present: no read_time.")
    }
    guard request.pageSize >= 0 else {
      throw .invalid("page_size must be greater than or equal to zero.")
    }
    let size = request.pageSize == 0 ? 300 : min(1000, Int(request.pageSize))
    var after: String?
    if let token = try PageToken(request.pageToken) {
      guard case .stringValue(let id)? = token.place.first?.valueType else {
        throw PageToken.fault
      }
      after = id
    }
    let names = try read { documents throws(APIError) in
      try documents.children(of: parent, after: after, limit: size + 1)
    }
    var response = ListCollectionIdsResponse()
    response.collectionIds = Array(names.prefix(size))
    if names.count > size, let last = response.collectionIds.last {
      response.nextPageToken = try PageToken(place: [.with { $0.stringValue = last }]).text()
    }
    return response
  }
}
