import FirestoreProtos
import Foundation
package import HearthCore

extension Firestore {
  package func listCollectionIds(
    _ request: ListCollectionIdsRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> ListCollectionIdsResponse {
    let parent = try ResourcePath.parent(request.parent)
    try requireOwner(caller)
    if case .readTime? = request.consistencySelector {
      throw APIError(
        .unimplemented, message: "ListCollectionIds knows only the present: no read_time.")
    }
    guard request.pageSize >= 0 else { throw .invalid("page_size is negative.") }
    let size = request.pageSize == 0 ? 300 : min(1000, Int(request.pageSize))
    var after: String?
    if !request.pageToken.isEmpty {
      guard let bytes = Base64.decode(request.pageToken) else {
        throw .invalid("Invalid page token.")
      }
      after = String(decoding: bytes, as: UTF8.self)
    }
    let names = try read { documents throws(APIError) in
      try documents.children(of: parent, after: after, limit: size + 1)
    }
    var response = ListCollectionIdsResponse()
    response.collectionIds = Array(names.prefix(size))
    if names.count > size, let last = response.collectionIds.last {
      response.nextPageToken = Base64.encodeURL(Array(last.utf8))
    }
    return response
  }
}
