import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import SwiftProtobuf

/// What the writes of one commit do. Each document is read once and stored once, however many of the
/// writes are of it: both take as long as the document is large.
///
/// It exists during one transaction of the store, on its thread.
struct AppliedWrites {
  typealias Outcome = (result: WriteResult, effect: DocumentEffect)

  /// A document as the store has it, and as the writes so far leave it.
  private struct Target {
    let path: ResourcePath
    let row: Documents.StoredRow?
    private(set) var now: StoredDocument?
    /// How many of the writes are of it.
    private(set) var writes = 0
    private var lastKind = DocumentEffect.Kind.verify
    /// Made again after that, it is another document.
    private(set) var wasDeleted = false

    init(_ path: ResourcePath, row: Documents.StoredRow?) {
      self.path = path
      self.row = row
      now = row?.document
    }

    /// All of its writes together.
    var change: DocumentEffect {
      DocumentEffect(path: path, before: row?.document, after: now, kind: lastKind)
    }

    /// Whether they leave it as it was.
    var isUnchanged: Bool {
      guard let before = row?.document, let now else { return row == nil && now == nil }
      if wasDeleted || writes == 1 && now.updateTime != before.updateTime { return false }
      return before.fields.isIdentical(to: now.fields)
    }

    mutating func add(_ effect: DocumentEffect) {
      now = effect.after
      writes += 1
      lastKind = effect.kind
      if effect.kind == .delete { wasDeleted = true }
    }

    /// What is put back as it was keeps its time, and no listener hears of it. One write that changes
    /// nothing is recognized when it is applied.
    mutating func keepTime() { if writes > 1, isUnchanged { now = row?.document } }
  }

  private let documents: Documents
  /// Of the commit, in microseconds.
  private let time: Int64
  /// In the order in which the writes name them.
  private var targets: [Target] = []
  private var places: [ResourcePath: Int] = [:]
  /// The target of each write. What a write in between has left is not kept: a commit may have
  /// thousands of writes of a large document.
  private var order: [Int] = []
  /// One for each write.
  private(set) var results: [WriteResult] = []
  /// Why the first condition that is not met is not met, where that is asked after rules.
  var unmet: APIError?

  init(_ documents: Documents, time: Int64) {
    self.documents = documents
    self.time = time
  }

  /// Adds what the next write makes of what those before it have left.
  mutating func add(
    _ path: ResourcePath, outcome: (StoredDocument?) throws(APIError) -> Outcome
  ) throws(APIError) {
    let place = try place(of: path)
    let (result, effect) = try outcome(targets[place].now)
    targets[place].add(effect)
    order.append(place)
    results.append(result)
  }

  private mutating func place(of path: ResourcePath) throws(APIError) -> Int {
    if let known = places[path] { return known }
    targets.append(Target(path, row: try documents.row(at: path)))
    places[path] = targets.count - 1
    return targets.count - 1
  }

  /// One for each document, in the order in which the writes name them.
  var changes: [DocumentEffect] { targets.map(\.change) }

  /// Stores what the writes leave. Several of a document are one change of it: each has the time of
  /// the document that they leave, and none has one when they leave none.
  ///
  /// - Returns: the changes, with the times that are stored.
  mutating func store() throws(APIError) -> [DocumentEffect] {
    for index in targets.indices {
      targets[index].keepTime()
      try store(targets[index])
    }
    // Mostly each document is written once.
    if targets.count < order.count { giveTimes() }
    return changes
  }

  private func store(_ target: Target) throws(APIError) {
    guard !target.isUnchanged else { return }
    var row = target.row
    if let known = row, target.wasDeleted {
      try documents.delete(known)
      row = nil
    }
    guard let now = target.now else { return }
    try documents.put(now.fields, at: target.path, over: row, time: time)
  }

  private mutating func giveTimes() {
    for (index, place) in order.enumerated() where targets[place].writes > 1 {
      if let now = targets[place].now {
        results[index].updateTime = ProtoTimestamp(microseconds: now.updateTime)
      } else {
        results[index].clearUpdateTime()
      }
    }
  }
}
