import Foundation
import HearthFirestore
import HearthFirestoreProtos
import HearthTime
import SwiftProtobuf
import Testing

/// Replays what a Listen stream tells, as SDKs do: nothing counts before the next snapshot, and a
/// snapshot that is older than the last one is an error.
struct ListenClient {
  /// What the client has of one target.
  struct Copy {
    /// Keyed by the bytes of their names.
    var documents: [[UInt8]: String] = [:]
    var token = Data()
    var isCurrent = false
  }

  /// As of the last snapshot.
  private(set) var shown: [Int32: Copy] = [:]
  /// With what has been told since.
  private var working: [Int32: Copy] = [:]
  /// The targets that this stream has acknowledged.
  private var added: Set<Int32> = []
  private(set) var readTime: Int64 = 0
  private(set) var refusals: [Int32: Int32] = [:]

  /// Takes in one message, and says whether it completed a snapshot.
  mutating func hear(_ response: ListenResponse) -> Bool {
    switch response.responseType {
    case .targetChange(let change)?: return hear(change)
    case .documentChange(let change)?:
      let document = change.document
      #expect(document.updateTime.microseconds > 0)
      #expect(
        Set(change.targetIds).isDisjoint(with: change.removedTargetIds),
        "\(document.name) both joins and leaves")
      for id in change.targetIds { working[id]?.documents[document.name.bytes] = document.exact }
      for id in change.removedTargetIds { working[id]?.documents[document.name.bytes] = nil }
    case .documentDelete(let change)?:
      for id in change.removedTargetIds { working[id]?.documents[change.document.bytes] = nil }
    case .documentRemove(let change)?:
      for id in change.removedTargetIds { working[id]?.documents[change.document.bytes] = nil }
    default: Issue.record("an unexpected message: \(response)")
    }
    return false
  }

  private mutating func hear(_ change: Google_Firestore_V1_TargetChange) -> Bool {
    let ids = change.targetIds.isEmpty ? Array(added) : change.targetIds
    for id in ids {
      switch change.targetChangeType {
      case .add:
        #expect(added.insert(id).inserted, "target \(id) is added twice")
        if working[id] == nil { working[id] = Copy() }
      case .remove:
        added.remove(id)
        working[id] = nil
        shown[id] = nil
        if change.hasCause { refusals[id] = change.cause.code }
      case .reset: working[id]?.documents = [:]
      case .current: working[id]?.isCurrent = true
      default: break
      }
      if !change.resumeToken.isEmpty { working[id]?.token = change.resumeToken }
    }
    guard change.targetChangeType == .noChange, change.targetIds.isEmpty else { return false }
    #expect(change.readTime.microseconds >= readTime, "time goes backwards")
    readTime = change.readTime.microseconds
    shown = working
    return true
  }

  /// The stream broke: what came after the last snapshot is lost.
  mutating func disconnect() {
    for id in shown.keys { shown[id]?.isCurrent = false }
    working = shown
    added = []
  }
}

/// One Listen stream, and what comes out of it.
struct Listening {
  private let requests: AsyncStream<ListenRequest>.Continuation
  private let stream: Task<Void, any Error>
  private var responses: AsyncStream<ListenResponse>.AsyncIterator

  /// The hook runs while the stream is busy with sending that message.
  init(
    _ rig: Rig, as caller: FirestoreCaller = .owner,
    hook: @escaping @Sendable (ListenResponse) async throws -> Void = { _ in }
  ) {
    let (incoming, requests) = AsyncStream.makeStream(of: ListenRequest.self)
    let (outgoing, responses) = AsyncStream.makeStream(of: ListenResponse.self)
    self.requests = requests
    self.responses = outgoing.makeAsyncIterator()
    stream = Task {
      defer { responses.finish() }
      try await rig.firestore.listen(incoming, as: { _ in caller }) { response in
        responses.yield(response)
        try await hook(response)
      }
    }
  }

  func add(_ target: Target) {
    requests.yield(
      .with {
        $0.database = Rig.database.description
        $0.addTarget = target
      })
  }

  func remove(_ id: Int32) {
    requests.yield(
      .with {
        $0.database = Rig.database.description
        $0.removeTarget = id
      })
  }

  mutating func next() async -> ListenResponse? { await responses.next() }

  func end() async throws {
    requests.finish()
    try await stream.value
  }
}

extension Target {
  static func query(
    _ id: Int32, query: StructuredQuery, parent: String = Rig.database.documents,
    after token: Data = Data()
  ) -> Target {
    .with {
      $0.targetID = id
      $0.query.parent = parent
      $0.query.structuredQuery = query
      if !token.isEmpty { $0.resumeToken = token }
    }
  }

  static func documents(_ id: Int32, paths: [String], after token: Data = Data()) -> Target {
    .with {
      $0.targetID = id
      $0.documents.documents = paths.map(name)
      if !token.isEmpty { $0.resumeToken = token }
    }
  }
}
