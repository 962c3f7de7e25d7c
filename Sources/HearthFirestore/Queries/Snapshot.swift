import HearthErrors

/// The documents as they were at some time, or as they are.
struct Snapshot {
  let documents: Documents
  /// What has changed since, with what stood there before.
  fileprivate let changed: [ResourcePath: StoredDocument?]

  init(_ documents: Documents) {
    self.documents = documents
    changed = [:]
  }

  /// - Throws: FAILED_PRECONDITION when the time is too long ago.
  init(
    _ documents: Documents, of database: DatabaseName, at time: Int64, log: CommitLog
  ) throws(APIError) {
    self.documents = documents
    guard let changed = log.states(of: database, at: time) else { throw ReadTime.tooOld }
    self.changed = changed
  }

  func document(at path: ResourcePath) throws(APIError) -> StoredDocument? {
    if let before = changed[path] { return before }
    return try documents.document(at: path)
  }

  /// As `document(at:)`, with its fields as they are in the store; adds how many bytes were read.
  func found(at path: ResourcePath, bytes: inout Int) throws(APIError) -> FoundDocument? {
    if let before = changed[path] { return before.map(FoundDocument.decoded) }
    let document = try documents.encodedDocument(at: path)
    bytes += document?.data.count ?? 0
    return document.map(FoundDocument.encoded)
  }

  /// As `document(at:)`; adds how many bytes were read for it.
  func document(at path: ResourcePath, bytes: inout Int) throws(APIError) -> StoredDocument? {
    if let before = changed[path] { return before }
    return try documents.document(at: path, bytes: &bytes)
  }

  /// Whether no document of the query was different then.
  func isPresent(for query: Query) -> Bool { !changed.keys.contains(where: query.covers) }

  func run(_ query: Query) throws(APIError) -> QueryResult {
    if isPresent(for: query) { return try documents.run(query) }
    // Everything that matches now, but for what has changed, and what matched of that.
    var found: [(document: EncodedDocument, position: [[UInt8]])] = []
    for document in try documents.run(query.unlimited).documents
    where changed[document.path] == nil {
      if let position = query.position(of: document) { found.append((document, position)) }
    }
    for case let before? in changed.values where query.covers(before.path) {
      if let position = query.position(matching: before) {
        found.append((try EncodedDocument(before), position))
      }
    }
    found.sort { query.precedes($0.position, $1.position) }
    if let nearest = query.nearest {
      return QueryResult(documents: try nearest.pick(from: found.map(\.document)))
    }
    let skipped = min(query.offset, found.count)
    let rest = found.dropFirst(skipped).prefix(query.limit ?? .max)
    return QueryResult(documents: rest.map(\.document), skipped: skipped)
  }

  func count(_ query: Query, upTo limit: Int?) throws(APIError) -> Int {
    if isPresent(for: query) { return try documents.count(query, upTo: limit) }
    return min(try run(query).documents.count, limit ?? .max)
  }
}

// MARK: - Names

extension Snapshot {
  /// The segments that follow a path in the names of documents, in the order of their bytes: ids of
  /// collections below a document, or of documents in a collection, also of those that are missing
  /// but have collections below them.
  func segments(below path: ResourcePath) throws(APIError) -> [String] {
    // By their bytes: Swift takes two spellings of a letter for one.
    var segments: [[UInt8]: String] = [:]
    for segment in try documents.children(of: path, after: nil, limit: .max) {
      segments[Array(segment.utf8)] = segment
    }
    if let collection = try documents.find(path) {
      for name in try documents.names(in: collection) { segments[Array(name.utf8)] = name }
    }
    var wasThere: [[UInt8]: (segment: String, Bool)] = [:]
    for (changed, before) in changed where changed.segments.count > path.segments.count {
      guard changed.isWithin(path) else { continue }
      let segment = changed.segments[path.segments.count]
      let known = wasThere[Array(segment.utf8)]?.1 ?? false
      wasThere[Array(segment.utf8)] = (segment, known || before != nil)
    }
    for (key, (segment, wasThere)) in wasThere {
      var isShown = wasThere
      if !isShown { isShown = try hasUnchanged(below: path.appending(segment)) }
      segments[key] = isShown ? segment : nil
    }
    return segments.values.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a document at the path or below it is there, and was there then.
  private func hasUnchanged(below path: ResourcePath) throws(APIError) -> Bool {
    if path.isDocument, changed[path] == nil, try documents.document(at: path) != nil {
      return true
    }
    for collection in try documents.collections(below: path, collectionId: nil) {
      let names = try documents.names(in: collection)
      if names.contains(where: { changed[collection.path.appending($0)] == nil }) { return true }
    }
    return false
  }

  /// As `segments(below:)`, but only so many, after one of them.
  func segments(
    below path: ResourcePath, after: String?, limit: Int
  ) throws(APIError) -> [String] {
    // Each is found with one look into an index, where nothing has changed.
    guard changed.keys.contains(where: { $0.isWithin(path) }) else {
      return try documents.children(of: path, after: after, limit: limit)
    }
    let all = try segments(below: path)
    let rest = all.drop { segment in
      after.map { !$0.utf8.lexicographicallyPrecedes(segment.utf8) } ?? false
    }
    return Array(rest.prefix(limit))
  }
}
