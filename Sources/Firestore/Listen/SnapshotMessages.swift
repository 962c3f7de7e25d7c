import FirestoreProtos
import Foundation
import HearthCore
import SwiftProtobuf

/// The news of one snapshot, one message for each document: several targets may show the same.
struct SnapshotMessages {
  private struct News {
    var document: Document?
    var exists = true
    var targets: [Int32] = []
    var removed: [Int32] = []
  }

  private var order: [ResourcePath] = []
  private var news: [ResourcePath: News] = [:]

  var isEmpty: Bool { order.isEmpty }

  mutating func add(_ changes: [TargetChange], _ target: ListenTarget) {
    for change in changes {
      switch change {
      case .shows(let document):
        update(document.path) { news in
          news.document = target.message(of: document)
          news.targets.append(target.id)
        }
      case .left(let path): update(path) { $0.removed.append(target.id) }
      case .deleted(let path):
        update(path) { news in
          news.exists = false
          news.removed.append(target.id)
        }
      }
    }
  }

  private mutating func update(_ path: ResourcePath, _ change: (inout News) -> Void) {
    if news[path] == nil { order.append(path) }
    change(&news[path, default: News()])
  }

  func responses(readTime: Int64) -> [ListenResponse] {
    order.compactMap { path in
      guard let news = news[path] else { return nil }
      var response = ListenResponse()
      if let document = news.document {
        response.documentChange.document = document
        response.documentChange.targetIds = news.targets
        response.documentChange.removedTargetIds = news.removed
      } else if news.exists {
        response.documentRemove.document = path.text
        response.documentRemove.removedTargetIds = news.removed
        response.documentRemove.readTime = ProtoTimestamp(microseconds: readTime)
      } else {
        response.documentDelete.document = path.text
        response.documentDelete.removedTargetIds = news.removed
        response.documentDelete.readTime = ProtoTimestamp(microseconds: readTime)
      }
      return response
    }
  }
}

extension ListenResponse {
  static func change(
    _ type: Google_Firestore_V1_TargetChange.TargetChangeType, _ ids: [Int32],
    token: Data = Data(), readTime: Int64? = nil, cause: APIError? = nil
  ) -> ListenResponse {
    .with { response in
      response.targetChange = .with { change in
        change.targetChangeType = type
        change.targetIds = ids
        change.resumeToken = token
        if let readTime { change.readTime = ProtoTimestamp(microseconds: readTime) }
        if let cause { change.cause = cause.rpcStatus }
      }
    }
  }
}
