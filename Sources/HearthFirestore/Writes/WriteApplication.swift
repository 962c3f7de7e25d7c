import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf

/// What one write did to one document, or all writes of a commit to it. Before a write is what the
/// writes before it have left.
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
    // At the end of time, all commits have the same.
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

  /// Applies writes in their order, each to what those before it have left. Nothing is stored yet.
  ///
  /// Conditions tell what exists, and rules are asked before that: with `keepsUnmet` a condition that is
  /// not met is kept for later instead of thrown.
  ///
  /// - Throws: why a condition is not met, or INVALID_ARGUMENT where a document becomes too large.
  ///   The transaction is to be undone then.
  func apply(
    _ writes: [CheckedWrite], keepsUnmet: Bool = false
  ) throws(APIError) -> AppliedWrites {
    var applied = AppliedWrites(documents, time: time)
    var unmet: APIError?
    for write in writes {
      try applied.add(write.path) { known throws(APIError) in
        do throws(APIError) {
          try write.condition.check(known, path: write.path)
        } catch {
          guard keepsUnmet else { throw error }
          unmet = unmet ?? error
        }
        return try outcome(of: write, on: known)
      }
    }
    applied.unmet = unmet
    return applied
  }

  private func outcome(
    of write: CheckedWrite, on known: StoredDocument?
  ) throws(APIError) -> AppliedWrites.Outcome {
    let path = write.path
    switch write.operation {
    case .put(let fields, let mask, let transforms):
      return try put(fields, mask: mask, transforms: transforms, at: path, over: known)
    case .delete:
      // Nothing to delete is not an error, unless a condition says so. The result of a deletion has
      // no time.
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
    at path: ResourcePath, over known: StoredDocument?
  ) throws(APIError) -> AppliedWrites.Outcome {
    var changed = mask.map { (known?.fields ?? [:]).merging(fields, by: $0) } ?? fields
    var result = WriteResult()
    // In their order, each on the result of the one before.
    for transform in transforms {
      result.transformResults.append(transform.apply(to: &changed, time: requestTime))
    }
    try DocumentSize.check(changed, of: path)
    // What changes nothing keeps its time, and no listener hears of it.
    let after: StoredDocument
    if let known, known.fields.isIdentical(to: changed) {
      after = known
    } else {
      after = StoredDocument(
        path: path, fields: changed, createTime: known?.createTime ?? time, updateTime: time)
    }
    result.updateTime = ProtoTimestamp(microseconds: after.updateTime)
    return (result, DocumentEffect(path: path, before: known, after: after, kind: .put))
  }
}
