import HearthCore

/// The documents as they were at some time, or as they are.
struct Snapshot {
  let documents: Documents
  /// What has changed since, with what stood there before.
  private let changed: [ResourcePath: StoredDocument?]

  init(_ documents: Documents) {
    self.documents = documents
    changed = [:]
  }

  /// - Throws: FAILED_PRECONDITION when the time is too long ago.
  init(
    _ documents: Documents, of database: DatabaseName, at time: Int64, _ log: CommitLog
  ) throws(APIError) {
    self.documents = documents
    guard let commits = log.commits(of: database, after: time) else {
      throw APIError(
        .failedPrecondition, message: "The requested snapshot version is too old.")
    }
    var changed: [ResourcePath: StoredDocument?] = [:]
    for effect in commits.lazy.flatMap(\.effects) where changed[effect.path] == nil {
      changed[effect.path] = .some(effect.before)
    }
    self.changed = changed
  }

  func document(at path: ResourcePath) throws(APIError) -> StoredDocument? {
    if let before = changed[path] { return before }
    return try documents.document(at: path)
  }

  func run(_ query: Query) throws(APIError) -> (documents: [StoredDocument], skipped: Int) {
    guard changed.keys.contains(where: query.covers) else { return try documents.run(query) }
    // Everything that matches now, but for what has changed, and what matched of that.
    var found: [(document: StoredDocument, position: [[UInt8]])] = []
    for document in try documents.run(query.unlimited).documents
    where changed[document.path] == nil {
      if let position = query.position(of: document) { found.append((document, position)) }
    }
    for case let before? in changed.values where query.covers(before.path) {
      if let position = query.position(matching: before) { found.append((before, position)) }
    }
    found.sort { query.precedes($0.position, $1.position) }
    if let nearest = query.nearest { return (nearest.pick(from: found.map(\.document)), 0) }
    let skipped = min(query.offset, found.count)
    let rest = found.dropFirst(skipped).prefix(query.limit ?? .max)
    return (rest.map(\.document), skipped)
  }

  func count(_ query: Query, upTo limit: Int?) throws(APIError) -> Int {
    guard changed.keys.contains(where: query.covers) else {
      return try documents.count(query, upTo: limit)
    }
    return min(try run(query).documents.count, limit ?? .max)
  }
}
