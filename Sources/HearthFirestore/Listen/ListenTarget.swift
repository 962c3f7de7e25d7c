import HearthErrors
import HearthFirestoreProtos

/// What a client listens to, and what it knows of it.
struct ListenTarget {
  enum Kind {
    case documents([ResourcePath])
    case query(Query)
  }

  /// Positive, and chosen by the client unless it sends 0.
  let id: Int32
  let kind: Kind
  /// The documents that the client has, with their versions: update times in microseconds. That is
  /// enough to tell what enters, changes and leaves; contents are not kept.
  var known: [ResourcePath: Int64] = [:]
  /// Whether rules had to be asked, and what they have looked up.
  var isJudged = false
  /// What the rules have read with `get()` and `exists()`: a change of one of them may change the
  /// decision.
  var lookedUp: Set<ResourcePath> = []

  /// Whether a commit alone does not tell what leaves and what moves up.
  private var needsQuery: Bool {
    query?.isWindow ?? false
  }

  /// Nil for documents that were named.
  var query: Query? { if case .query(let query) = kind { query } else { nil } }

  /// The fields to show; nil for all.
  var projection: [FieldPath]? { query?.projection }

  func message(of document: StoredDocument) -> Document {
    if case .query(let query) = kind { query.message(of: document) } else { document.message }
  }

  // MARK: Reading everything

  /// The documents of the target, as they are.
  func result(in documents: Documents) throws(APIError) -> [StoredDocument] {
    switch kind {
    case .query(let query):
      let result = try documents.run(query)
      try LargeReads.require(result.bytes)
      return try result.documents.map { document throws(APIError) in try document.decoded() }
    case .documents(let paths):
      var found: [StoredDocument] = []
      var bytes = 0
      for path in paths {
        guard let document = try documents.document(at: path, bytes: &bytes) else { continue }
        try LargeReads.require(bytes, isComplete: false)
        found.append(document)
      }
      return found
    }
  }

  /// What the client must hear to know a result, given what it knows.
  mutating func changes(
    to result: [StoredDocument], in documents: Documents
  ) throws(APIError) -> [TargetChange] {
    var changes: [TargetChange] = []
    for document in result where known[document.path] != document.updateTime {
      changes.append(.shows(document))
    }
    let now = Dictionary(result.map { ($0.path, $0.updateTime) }, uniquingKeysWith: { $1 })
    // What has left is read again, because a client drops a deleted document everywhere, and one
    // that only does not match from this target.
    for path in known.keys where now[path] == nil {
      changes.append(try documents.document(at: path) == nil ? .deleted(path) : .left(path))
    }
    known = now
    return changes
  }

  /// What a client must hear that forgets what it knows: the result, and which documents have gone.
  mutating func reset(in documents: Documents) throws(APIError) -> [TargetChange] {
    let before = known.keys
    known = [:]
    var changes = try changes(to: result(in: documents), in: documents)
    // A RESET alone does not tell whether a document still exists.
    for path in before where known[path] == nil {
      changes.append(try documents.document(at: path) == nil ? .deleted(path) : .left(path))
    }
    return changes
  }

  // MARK: Following commits

  /// What commits change for the target, up to what the documents are now; nil stands for commits
  /// that nobody remembers.
  mutating func changes(
    after commits: [LoggedCommit]?, in documents: Documents
  ) throws(APIError) -> [TargetChange] {
    // A copy: where a commit does not tell enough, nothing of the earlier ones may stay.
    var followed = self
    var changes: [TargetChange]? = commits == nil ? nil : []
    for commit in commits ?? [] {
      guard let more = followed.changes(after: commit) else {
        changes = nil
        break
      }
      changes?.append(contentsOf: more)
    }
    guard let changes else { return try self.changes(to: result(in: documents), in: documents) }
    self = followed
    return changes
  }

  /// What a commit changes for the target; nil when only a query can tell. A document that matched
  /// before and matches still is shown again, as its fields may have changed.
  mutating func changes(after commit: LoggedCommit) -> [TargetChange]? {
    switch kind {
    case .documents(let paths):
      return commit.effects(of: paths).map { effect in
        known[effect.path] = effect.after?.updateTime
        return effect.after.map { .shows($0) } ?? .deleted(effect.path)
      }
    case .query(let query):
      var changes: [TargetChange] = []
      for effect in commit.effects where query.covers(effect.path) {
        let isMember = effect.after.map { query.position(matching: $0) != nil } ?? false
        let wasMember = known[effect.path] != nil
        guard isMember || wasMember || hasMovedWindow(effect, of: query) else { continue }
        // A document that leaves a window makes room for one that this commit does not name.
        if needsQuery { return nil }
        if isMember, let after = effect.after {
          known[effect.path] = after.updateTime
          changes.append(.shows(after))
        } else {
          known[effect.path] = nil
          changes.append(effect.after == nil ? .deleted(effect.path) : .left(effect.path))
        }
      }
      return changes
    }
  }

  /// Whether a document has left that may have been among those that an offset skips. `known` has
  /// only documents that are shown, not the skipped ones.
  private func hasMovedWindow(_ effect: DocumentEffect, of query: Query) -> Bool {
    guard query.offset > 0, let before = effect.before else { return false }
    return query.position(matching: before) != nil
  }
}

/// News of one document for one target.
enum TargetChange {
  case shows(StoredDocument)
  /// It is still there, but no longer part of the result.
  case left(ResourcePath)
  case deleted(ResourcePath)

  var path: ResourcePath {
    switch self {
    case .shows(let document): document.path
    case .left(let path), .deleted(let path): path
    }
  }
}

extension Query {
  /// Whether it shows a part of what it matches: a document may join without a change of its own.
  var isWindow: Bool { limit != nil || offset > 0 || nearest != nil }
}
