import FirestoreProtos
import HearthCore
import SwiftProtobuf

/// What one write did to one document.
struct DocumentEffect: Sendable {
  let path: ResourcePath
  let before: StoredDocument?
  let after: StoredDocument?
  let kind: Kind

  enum Kind: Sendable { case put, delete, verify }

  var isChange: Bool {
    guard let before, let after else { return before != nil || after != nil }
    // Two writes of one commit have the same time.
    return before.updateTime != after.updateTime || !before.fields.isIdentical(to: after.fields)
  }
}

/// Applies writes, in one transaction of the store and at one time.
struct WriteApplication {
  let documents: Documents
  let database: DatabaseName
  /// The commit time in microseconds.
  let time: Int64

  func apply(
    _ write: CheckedWrite
  ) throws(APIError) -> (result: WriteResult, effect: DocumentEffect) {
    let path = write.path
    let known = try documents.document(at: path)
    try write.condition.check(known, path)
    switch write.operation {
    case .put(let fields, let mask, let transforms):
      return try put(fields, mask, transforms, at: path, over: known)
    case .delete:
      if known != nil { try documents.delete(path) }
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
    _ fields: Fields, _ mask: [FieldPath]?, _ transforms: [CheckedTransform],
    at path: ResourcePath, over known: StoredDocument?
  ) throws(APIError) -> (result: WriteResult, effect: DocumentEffect) {
    var changed = mask == nil ? fields : known?.fields ?? [:]
    // A field of the mask may be named twice, or lie within another: the result is the same.
    for field in mask ?? [] { changed.set(fields.value(at: field), at: field) }
    var result = WriteResult()
    for transform in transforms {
      result.transformResults.append(transform.apply(to: &changed, time: time))
    }
    try DocumentSize.check(changed, of: path)
    // What changes nothing keeps its time, and no listener hears of it.
    let stored: StoredDocument
    if let known, known.fields.isIdentical(to: changed) {
      stored = known
    } else {
      stored = try documents.put(changed, at: path, time: time)
    }
    result.updateTime = ProtoTimestamp(microseconds: stored.updateTime)
    return (result, DocumentEffect(path: path, before: known, after: stored, kind: .put))
  }
}
