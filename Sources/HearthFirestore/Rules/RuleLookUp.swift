import HearthErrors
import HearthFirestoreRules
import HearthLimits

/// What `get()` and its relatives see, and what they have looked up.
///
/// A class, because the questions of a request share it. It has no lock and stays with that
/// request, which asks one after the other. Besides what the request writes, it holds at most as
/// many documents as a request may look up.
final class RuleLookUp: RuleDatabase {
  /// Where documents are read. With the store, rules that take long keep no transaction open.
  enum Source {
    case transaction(Documents)
    /// Each in a transaction of its own.
    case store(Firestore)
  }

  let database: DatabaseName
  private let source: Source
  /// What the writes of the request replace, and what they would leave.
  private let written: [ResourcePath: (before: StoredDocument?, after: StoredDocument?)]
  /// The versions of the documents that were looked up, before the request; nil for those that are
  /// not there.
  private(set) var versions: [ResourcePath: Int64?] = [:]
  /// What was read in the store. Each read is a transaction of its own, so a document is read once
  /// and stays as it was first seen.
  private var seen: [ResourcePath: StoredDocument?] = [:]

  /// The changes are what the request writes, one for each document.
  init(_ source: Source, database: DatabaseName, changes: [DocumentEffect] = []) {
    self.source = source
    self.database = database
    written = Dictionary(changes.map { ($0.path, ($0.before, $0.after)) }) { $1 }
  }

  /// The same request, before it asked anything, with another place to read.
  func from(_ source: Source) -> RuleLookUp {
    RuleLookUp(source, database: database, written: written)
  }

  private init(
    _ source: Source, database: DatabaseName,
    written: [ResourcePath: (before: StoredDocument?, after: StoredDocument?)]
  ) {
    self.source = source
    self.database = database
    self.written = written
  }

  /// Nil also for a path that no document can have.
  ///
  /// - Throws: INVALID_ARGUMENT for more look-ups than a request may make.
  func document(_ path: [String], afterWrite: Bool) throws -> RuleValue? {
    let path = ResourcePath(database, segments: path)
    guard path.isDocument else { return nil }
    // A document that is looked up again does not count again.
    if versions[path] == nil {
      guard versions.count < Limit.accessCallsOfRequest.value else {
        throw APIError.invalid(Limit.accessCallsOfRequest.refusal())
      }
      versions[path] = .some(nil)
    }
    // The version is that before the request, because after it the document has the time of this
    // attempt.
    if let written = written[path] {
      versions[path] = .some(written.before?.updateTime)
      return (afterWrite ? written.after : written.before)?.ruleValue
    }
    let document = try stored(at: path)
    versions[path] = .some(document?.updateTime)
    return document?.ruleValue
  }

  private func stored(at path: ResourcePath) throws(APIError) -> StoredDocument? {
    switch source {
    case .transaction(let documents): return try documents.document(at: path)
    case .store(let firestore):
      if let document = seen[path] { return document }
      let document = try firestore.read { documents throws(APIError) in
        try documents.document(at: path)
      }
      seen[path] = .some(document)
      return document
    }
  }

  /// The version that a document had before the first of the request's writes to it. Nil also for a
  /// document that the request does not write.
  func version(before path: ResourcePath) -> Int64? { written[path]?.before?.updateTime }

  /// Takes over what was looked up elsewhere, unless a document has changed since then.
  ///
  /// - Returns: whether all of it is as it was.
  func adopt(_ known: [ResourcePath: Int64?]) throws(APIError) -> Bool {
    for (path, version) in known {
      // What the request writes has a new version each time; what it had before is compared.
      let present =
        written[path] == nil ? try stored(at: path)?.updateTime : self.version(before: path)
      guard present == version else { return false }
    }
    versions.merge(known) { $1 }
    return true
  }
}
