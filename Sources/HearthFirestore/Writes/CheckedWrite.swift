import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import SwiftProtobuf

/// A write of a request, with everything checked that does not depend on what is stored.
///
/// All writes of a request are checked before the first one is applied: a malformed write is
/// reported even where an earlier one fails because of what is stored.
struct CheckedWrite: Sendable {
  enum Operation: Sendable {
    /// Without a mask the document is replaced; with one, what it names is set or removed.
    /// Transforms follow, on the result.
    case put(Fields, mask: [FieldPath]?, transforms: [CheckedTransform])
    case delete
    /// Only the condition is checked, nothing is written.
    case verify
  }

  /// What the stored document must be like. A document that is missing has no version, so it never
  /// meets one that is required.
  enum Condition: Sendable, Equatable {
    case none
    case exists(Bool)
    /// Microseconds since the Unix epoch.
    case version(Int64)
  }

  let path: ResourcePath
  let operation: Operation
  var condition: Condition

  /// Checks a write.
  ///
  /// - Throws: INVALID_ARGUMENT for what is malformed, and for documents of another database.
  init(_ write: Write, in database: DatabaseName, boundsPaths: Bool) throws(APIError) {
    switch write.operation {
    case .update(let document)?:
      path = try Self.stored(document.name, in: database)
      let mask = write.hasUpdateMask ? try Self.mask(write.updateMask) : nil
      operation = .put(
        try ValueCheck.stored(document.fields, namedBy: mask, boundsPaths: boundsPaths), mask: mask,
        transforms: try CheckedTransform.all(write.updateTransforms))
    case .transform(let transform)?:
      // The form of before `update_transforms`: an update that changes nothing else.
      path = try Self.stored(transform.document, in: database)
      try Self.checkPlain(write, operation: "transform")
      guard !transform.fieldTransforms.isEmpty else {
        throw .invalid("The list of FieldTransform must not be empty.")
      }
      operation = .put(
        [:], mask: [], transforms: try CheckedTransform.all(transform.fieldTransforms))
    case .delete(let name)?:
      path = try Self.path(name, in: database)
      try Self.checkPlain(write, operation: "delete")
      operation = .delete
    case .verify(let name)?:
      path = try Self.path(name, in: database)
      try Self.checkPlain(write, operation: "verify")
      operation = .verify
    case nil: throw .invalid("empty write operation")
    }
    condition = write.hasCurrentDocument ? try Condition(write.currentDocument) : .none
    if case .verify = operation, condition == .none {
      throw .invalid("a verify must contain a precondition")
    }
  }

  /// The writes of one commit. Their conditions change where several are of one document: see
  /// ``RepeatedWrites``.
  static func together(
    _ writes: [Write], in database: DatabaseName, boundsPaths: Bool
  ) throws(APIError) -> [CheckedWrite] {
    var checked: [CheckedWrite] = []
    checked.reserveCapacity(writes.count)
    for write in writes {
      checked.append(try CheckedWrite(write, in: database, boundsPaths: boundsPaths))
    }
    try RepeatedWrites.check(&checked)
    return checked
  }

  /// Checks writes of one request that are commits of their own. Nothing of the request is done
  /// where one of them is malformed, or where two are of one document.
  static func checkApart(
    _ writes: [Write], in database: DatabaseName, boundsPaths: Bool
  ) throws(APIError) {
    var paths: Set<ResourcePath> = []
    for write in writes {
      let write = try CheckedWrite(write, in: database, boundsPaths: boundsPaths)
      guard paths.insert(write.path).inserted else {
        throw .invalid("the same document cannot be written more than once in a single request")
      }
    }
  }

  var hasServerTimestamp: Bool {
    guard case .put(_, _, let transforms) = operation else { return false }
    return transforms.contains(where: \.isRequestTime)
  }

  private static func path(
    _ name: String, in database: DatabaseName
  ) throws(APIError) -> ResourcePath {
    let path = try ResourcePath.document(name)
    guard path.database == database else {
      throw .otherDatabase(path.database, than: database)
    }
    return path
  }

  /// The path of a document that may be stored. Deletions and verifies take longer names, because
  /// they store nothing.
  private static func stored(
    _ name: String, in database: DatabaseName
  ) throws(APIError) -> ResourcePath {
    let path = try path(name, in: database)
    try path.checkLength()
    return path
  }

  private static func mask(_ mask: DocumentMask) throws(APIError) -> [FieldPath] {
    // The name may be there, and stays as it is.
    try FieldPath.mask(mask).filter { !$0.isDocumentName }
  }

  /// Refuses what only updates have.
  private static func checkPlain(_ write: Write, operation: String) throws(APIError) {
    guard !write.hasUpdateMask else {
      throw .invalid("a \(operation) must not specify a document mask.")
    }
    guard write.updateTransforms.isEmpty else {
      throw .invalid("a \(operation) must not specify a update transform.")
    }
  }
}

extension CheckedWrite.Condition {
  init(_ message: Precondition) throws(APIError) {
    switch message.conditionType {
    case .exists(let exists)?: self = .exists(exists)
    case .updateTime(let time)?: self = .version(try time.checkedMicroseconds())
    case nil: self = .none
    }
  }

  /// Compares with the stored document, which is nil where there is none.
  ///
  /// - Throws: NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, or INVALID_ARGUMENT for a version
  ///   that lies after the stored one.
  func check(_ known: StoredDocument?, path: ResourcePath) throws(APIError) {
    switch self {
    case .exists(true) where known == nil:
      throw APIError(.notFound, message: "No document to update: \(path.text)")
    case .exists(false) where known != nil:
      throw APIError(.alreadyExists, message: "Document already exists: \(path.text)")
    case .version(let version):
      if let known, known.updateTime < version {
        throw .invalid(
          "Invalid base version, it is greater than the stored version: \(path.text)")
      }
      let stored = known?.updateTime ?? 0
      guard known != nil, stored == version else {
        throw APIError(
          .failedPrecondition,
          message: "the stored version (\(stored)) does not match the required base "
            + "version (\(version))")
      }
    case .none, .exists: break
    }
  }
}
