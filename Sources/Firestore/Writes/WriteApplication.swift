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
    _ write: Write
  ) throws(APIError) -> (result: WriteResult, effect: DocumentEffect) {
    switch write.operation {
    case .update(let document)?:
      let path = try own(document.name)
      return try update(path, write) { known throws(APIError) in
        try Self.merge(document.fields, write, into: known?.fields ?? [:])
      }
    case .transform(let transform)?:
      // The form of before `update_transforms`: an update that changes nothing else.
      let path = try own(transform.document)
      var write = write
      write.updateTransforms = transform.fieldTransforms
      return try update(path, write) { known throws(APIError) in known?.fields ?? [:] }
    case .delete(let name)?:
      let path = try own(name)
      let row = try documents.row(at: path)
      let known = row?.document
      try check(write, known, path)
      guard write.updateTransforms.isEmpty else {
        throw .invalid("A delete must not have transforms.")
      }
      if let row { try documents.delete(row) }
      return (
        WriteResult(), DocumentEffect(path: path, before: known, after: nil, kind: .delete)
      )
    case .verify(let name)?:
      let path = try own(name)
      let known = try documents.document(at: path)
      try check(write, known, path)
      return (WriteResult(), DocumentEffect(path: path, before: known, after: known, kind: .verify))
    case nil: throw .invalid("A write must have an operation.")
    }
  }

  private func own(_ name: String) throws(APIError) -> ResourcePath {
    let path = try ResourcePath.document(name)
    guard path.database == database else {
      throw .invalid("Document \"\(name)\" is not in database \"\(database)\".")
    }
    return path
  }

  private func update(
    _ path: ResourcePath, _ write: Write,
    _ fields: (StoredDocument?) throws(APIError) -> Fields
  ) throws(APIError) -> (result: WriteResult, effect: DocumentEffect) {
    let row = try documents.row(at: path)
    let known = row?.document
    try check(write, known, path)
    var changed = try fields(known)
    let results = try FieldTransforms.apply(write.updateTransforms, to: &changed, time: time)
    changed = try DocumentLimits.checked(changed, of: path)
    // What changes nothing keeps its time, and no listener hears of it.
    let stored: StoredDocument
    if let known, known.fields.isIdentical(to: changed) {
      stored = known
    } else {
      stored = try documents.put(changed, at: path, over: row, time: time)
    }
    var result = WriteResult()
    result.updateTime = ProtoTimestamp(microseconds: stored.updateTime)
    result.transformResults = results
    return (result, DocumentEffect(path: path, before: known, after: stored, kind: .put))
  }

  /// Without a mask the document is replaced; with one, what it names is set or removed.
  private static func merge(
    _ given: Fields, _ write: Write, into known: Fields
  ) throws(APIError) -> Fields {
    guard write.hasUpdateMask else { return given }
    var mask: [FieldPath] = []
    for path in write.updateMask.fieldPaths {
      let path = try FieldPath(path)
      if path.isDocumentName { throw .invalid("__name__ cannot be changed.") }
      mask.append(path)
    }
    for (index, path) in mask.enumerated() {
      if mask[..<index].contains(where: { $0.contains(path) || path.contains($0) }) {
        throw .invalid("The update mask names \"\(path)\" twice.")
      }
    }
    return known.merging(given, by: mask)
  }

  private func check(
    _ write: Write, _ known: StoredDocument?, _ path: ResourcePath
  ) throws(APIError) {
    guard write.hasCurrentDocument else { return }
    try write.currentDocument.check(known, path)
  }
}

extension Precondition {
  func check(_ known: StoredDocument?, _ path: ResourcePath) throws(APIError) {
    switch conditionType {
    case .exists(true)? where known == nil:
      throw APIError(.notFound, message: "No document to update: \(path.text)")
    case .exists(false)? where known != nil:
      throw APIError(.alreadyExists, message: "Document already exists: \(path.text)")
    case .updateTime(let time)?:
      guard let known else {
        throw APIError(.failedPrecondition, message: "no entity to update: \(path.text)")
      }
      guard known.updateTime == time.microseconds else {
        throw APIError(
          .failedPrecondition,
          message: "the stored version (\(known.updateTime)) does not match the required base "
            + "version (\(time.microseconds))")
      }
    default: break
    }
  }
}
