import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The news of one snapshot, mostly one message for each document: several targets may show the
/// same. It exists while one snapshot is put together, and holds the documents that are in it.
struct SnapshotMessages {
  private struct News {
    /// The document as the targets show it; those with other projections show other fields.
    private var shown: [(projection: [FieldPath]?, document: Document, targets: [Int32])] = []
    /// False once a target says that the document is deleted: all targets of a snapshot are of one
    /// moment, so they agree.
    var exists = true
    var removed: [Int32] = []

    mutating func show(_ stored: StoredDocument, in target: ListenTarget) {
      if let index = shown.firstIndex(where: { $0.projection == target.projection }) {
        shown[index].targets.append(target.id)
      } else {
        shown.append((target.projection, target.message(of: stored), [target.id]))
      }
    }

    func responses(_ path: ResourcePath, readTime: ProtoTimestamp) -> [ListenResponse] {
      var responses = shown.map { _, document, targets in
        ListenResponse.with {
          $0.documentChange.document = document
          $0.documentChange.targetIds = targets
        }
      }
      // Where a target shows the document, those that it has left are named in the same message.
      if !responses.isEmpty {
        responses[0].documentChange.removedTargetIds = removed
        return responses
      }
      var response = ListenResponse()
      // No target shows it. Clients keep a document that was removed from a target, and drop a
      // deleted one.
      if exists {
        response.documentRemove.document = path.text
        response.documentRemove.removedTargetIds = removed
        response.documentRemove.readTime = readTime
      } else {
        response.documentDelete.document = path.text
        response.documentDelete.removedTargetIds = removed
        response.documentDelete.readTime = readTime
      }
      return [response]
    }
  }

  private var order: [ResourcePath] = []
  private var news: [ResourcePath: News] = [:]

  var isEmpty: Bool { order.isEmpty }

  /// Of several changes of one document the last one counts.
  mutating func add(_ changes: [TargetChange], target: ListenTarget) {
    let last = Dictionary(
      changes.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { $1 })
    for (index, change) in changes.enumerated() where last[change.path] == index {
      update(change.path) { news in
        switch change {
        case .shows(let document): news.show(document, in: target)
        case .left: news.removed.append(target.id)
        case .deleted:
          news.exists = false
          news.removed.append(target.id)
        }
      }
    }
  }

  private mutating func update(_ path: ResourcePath, change: (inout News) -> Void) {
    if news[path] == nil { order.append(path) }
    change(&news[path, default: News()])
  }

  func responses(readTime: Int64) -> [ListenResponse] {
    order.flatMap { path in
      news[path]?.responses(path, readTime: ProtoTimestamp(microseconds: readTime)) ?? []
    }
  }
}

extension ListenResponse {
  /// A message about targets, or about all of them where no ids are given. The time is in
  /// microseconds.
  static func change(
    _ type: Google_Firestore_V1_TargetChange.TargetChangeType, ids: [Int32],
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
