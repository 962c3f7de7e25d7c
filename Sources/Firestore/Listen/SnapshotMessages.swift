import FirestoreProtos
import Foundation
import HearthCore
import SwiftProtobuf

/// The news of one snapshot, mostly one message for each document: several targets may show the same.
struct SnapshotMessages {
  /// What is told last of a target counts.
  private struct News {
    /// The document as the targets show it; those with other projections show other fields.
    private(set) var shown: [(projection: [FieldPath]?, document: Document, targets: [Int32])] = []
    private(set) var exists = true
    private(set) var removed: [Int32] = []

    mutating func join(_ target: ListenTarget, _ stored: StoredDocument) {
      forget(target.id)
      exists = true
      let document = target.message(of: stored)
      guard let index = shown.firstIndex(where: { $0.projection == target.projection }) else {
        return shown.append((target.projection, document, [target.id]))
      }
      shown[index].document = document
      shown[index].targets.append(target.id)
    }

    mutating func leave(_ target: Int32, exists: Bool) {
      forget(target)
      self.exists = exists
      removed.append(target)
    }

    func responses(_ path: ResourcePath, _ readTime: ProtoTimestamp) -> [ListenResponse] {
      var responses = shown.map { _, document, targets in
        ListenResponse.with {
          $0.documentChange.document = document
          $0.documentChange.targetIds = targets
        }
      }
      if !responses.isEmpty {
        responses[0].documentChange.removedTargetIds = removed
        return responses
      }
      var response = ListenResponse()
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

    private mutating func forget(_ target: Int32) {
      for index in shown.indices { shown[index].targets.removeAll { $0 == target } }
      shown.removeAll { $0.targets.isEmpty }
      removed.removeAll { $0 == target }
    }
  }

  private var order: [ResourcePath] = []
  private var news: [ResourcePath: News] = [:]

  var isEmpty: Bool { order.isEmpty }

  mutating func add(_ changes: [TargetChange], _ target: ListenTarget) {
    for change in changes {
      switch change {
      case .shows(let document):
        update(document.path) { $0.join(target, document) }
      case .left(let path): update(path) { $0.leave(target.id, exists: true) }
      case .deleted(let path): update(path) { $0.leave(target.id, exists: false) }
      }
    }
  }

  private mutating func update(_ path: ResourcePath, _ change: (inout News) -> Void) {
    if news[path] == nil { order.append(path) }
    change(&news[path, default: News()])
  }

  func responses(readTime: Int64) -> [ListenResponse] {
    order.flatMap { path in
      news[path]?.responses(path, ProtoTimestamp(microseconds: readTime)) ?? []
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
