import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

/// What one write did to one document. Within a commit, what is before a write is what the writes
/// before it have left.
struct DocumentEffect: Sendable {
  let path: ResourcePath
  let before: StoredDocument?
  let after: StoredDocument?
  let kind: Kind

  /// What the client asked for, also where it changed nothing.
  enum Kind: Sendable { case put, delete, verify }

  /// Whether listeners have to hear of it.
  var isChange: Bool {
    guard let before, let after else { return before != nil || after != nil }
    // Two writes of one commit have the same time.
    return before.updateTime != after.updateTime || !before.fields.isIdentical(to: after.fields)
  }
}

/// Applies writes, in one transaction of the store and at one time. It exists during that
/// transaction, on its thread, and must not leave it.
struct WriteApplication {
  let documents: Documents
  let database: DatabaseName
  /// The commit time in microseconds.
  let time: Int64
  /// What its server timestamps are, and the time of the request for its rules.
  private(set) var requestTime: Int64

  init(documents: Documents, database: DatabaseName, time: Int64) {
    self.documents = documents
    self.database = database
    self.time = time
    requestTime = time.inWholeMilliseconds
  }

  /// The same for these writes. Production keeps milliseconds of a server timestamp, and no two
  /// writes of a document are as close as that there. Here they are: the second one has the
  /// microseconds of its commit, so that a server timestamp is always later than the one before.
  func timed(for writes: [CheckedWrite]) throws(APIError) -> WriteApplication {
    for write in writes where write.hasServerTimestamp {
      guard let last = try documents.updateTime(at: write.path), last >= requestTime else {
        continue
      }
      var application = self
      application.requestTime = time
      return application
    }
    return self
  }

  /// Applies one write to what the store holds, which those before it may have changed.
  ///
  /// - Throws: why the condition is not met, or INVALID_ARGUMENT where the document becomes too
  ///   large. The transaction is to be undone then.
  func apply(
    _ write: CheckedWrite
  ) throws(APIError) -> (result: WriteResult, effect: DocumentEffect) {
    let path = write.path
    let row = try documents.row(at: path)
    let known = row?.document
    try write.condition.check(known, path: path)
    switch write.operation {
    case .put(let fields, let mask, let transforms):
      return try put(fields, mask: mask, transforms: transforms, at: path, over: row)
    case .delete:
      // Nothing to delete is not an error, unless a condition says so. The result of a deletion has
      // no time.
      if let row { try documents.delete(row) }
      return (
        WriteResult(), DocumentEffect(path: path, before: known, after: nil, kind: .delete)
      )
    case .verify:
      let result = WriteResult.with {
        $0.updateTime = ProtoTimestamp(microseconds: known?.updateTime ?? time)
      }
      return (result, DocumentEffect(path: path, before: known, after: known, kind: .verify))
    }
  }

  private func put(
    _ fields: Fields, mask: [FieldPath]?, transforms: [CheckedTransform],
    at path: ResourcePath, over row: Documents.StoredRow?
  ) throws(APIError) -> (result: WriteResult, effect: DocumentEffect) {
    let known = row?.document
    var changed = mask.map { (known?.fields ?? [:]).merging(fields, by: $0) } ?? fields
    var result = WriteResult()
    // In their order, each on the result of the one before.
    for transform in transforms {
      result.transformResults.append(transform.apply(to: &changed, time: requestTime))
    }
    try DocumentSize.check(changed, of: path)
    // What changes nothing keeps its time, and no listener hears of it.
    let stored: StoredDocument
    if let known, known.fields.isIdentical(to: changed) {
      stored = known
    } else {
      stored = try documents.put(changed, at: path, over: row, time: time)
    }
    result.updateTime = ProtoTimestamp(microseconds: stored.updateTime)
    return (result, DocumentEffect(path: path, before: known, after: stored, kind: .put))
  }
}
