import HearthFirestoreProtos

/// A commit as listeners hear of it.
struct LoggedCommit: Sendable {
  /// Its place among the commits of its database.
  let sequence: Int
  /// In microseconds.
  let time: Int64
  let effects: [DocumentEffect]
}

/// What the log keeps of a change. Documents that nobody is likely to read soon are kept in their
/// encoded form: that takes a fraction of the memory.
struct LoggedEffect: Sendable {
  let path: ResourcePath
  let kind: DocumentEffect.Kind
  private(set) var before: LoggedDocument?
  private(set) var after: LoggedDocument?

  init(_ effect: DocumentEffect) {
    path = effect.path
    kind = effect.kind
    before = effect.before.map { .decoded($0) }
    after = effect.after.map { .decoded($0) }
  }

  /// What is counted for the change itself: its path, and its place in arrays.
  private static let overhead = 300

  var bytes: Int { Self.overhead + (before?.bytes ?? 0) + (after?.bytes ?? 0) }

  mutating func pack() {
    before = before?.packed
    after = after?.packed
  }

  /// Nil when it cannot be decoded.
  var effect: DocumentEffect? {
    guard let before = Self.unpacked(before, path), let after = Self.unpacked(after, path) else {
      return nil
    }
    return DocumentEffect(path: path, before: before, after: after, kind: kind)
  }

  /// What stood there before. Nil when it cannot be decoded.
  var stateBefore: StoredDocument?? { Self.unpacked(before, path) }

  private static func unpacked(
    _ document: LoggedDocument?, _ path: ResourcePath
  ) -> StoredDocument?? {
    guard let document else { return .some(nil) }
    return document.stored(at: path).map { .some($0) }
  }
}

/// Its path is that of the change, and is not kept twice. Times are in microseconds.
enum LoggedDocument: Sendable {
  case decoded(StoredDocument)
  case encoded([UInt8], createTime: Int64, updateTime: Int64)

  /// About the memory that it takes.
  var bytes: Int {
    switch self {
    // A value takes more than what it stores.
    case .decoded(let document): 200 + 2 * document.fields.storageSize
    case .encoded(let data, _, _): 64 + data.count
    }
  }

  var packed: LoggedDocument {
    guard case .decoded(let document) = self,
      let data = try? StoredDocument.data(of: document.fields)
    else { return self }
    return .encoded(data, createTime: document.createTime, updateTime: document.updateTime)
  }

  func stored(at path: ResourcePath) -> StoredDocument? {
    switch self {
    case .decoded(let document): document
    case .encoded(let data, let createTime, let updateTime):
      (try? StoredDocument.fields(of: data)).map {
        StoredDocument(path: path, fields: $0, createTime: createTime, updateTime: updateTime)
      }
    }
  }
}
