import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthTransport
import HearthWire

/// The methods whose request is made of path and query. Each makes the message that gRPC would have
/// brought, and calls the same method with it.
enum DocumentMethods {
  // The parameters of each method.
  private static let found: Set = ["mask.fieldPaths", "readTime", "transaction"]
  private static let listed: Set = [
    "mask.fieldPaths", "orderBy", "pageSize", "pageToken", "readTime", "showMissing", "transaction",
  ]
  private static let created: Set = ["documentId", "mask.fieldPaths"]
  private static let conditions: Set = ["currentDocument.exists", "currentDocument.updateTime"]
  private static let patched = conditions.union(["mask.fieldPaths", "updateMask.fieldPaths"])

  /// A document, or the documents of a collection: their paths have the same form, and differ in
  /// whether the number of segments is even.
  static func read(_ request: RestCall) async throws -> OutgoingReply {
    let query = request.query
    guard !request.segments.isEmpty else {
      throw APIError(.routeNotFound, message: "Not Found")
    }
    if request.segments.count.isMultiple(of: 2) {
      try request.checkParameters(found)
      var message = GetDocumentRequest()
      message.name = request.name
      if let mask = request.mask("mask") { message.mask = mask }
      if let id = try request.bytes("transaction") { message.transaction = id }
      if let time = try request.time("readTime") { message.readTime = time }
      return try await RestReply.json(of: Document.self) {
        try await request.firestore.encodedDocument(message, as: request.caller)
      }
    }
    try request.checkParameters(listed)
    var message = ListDocumentsRequest()
    message.parent = request.parentName
    message.collectionID = request.segments.last ?? ""
    message.pageSize = try request.number("pageSize") ?? 0
    message.pageToken = query["pageToken"] ?? ""
    message.orderBy = query["orderBy"] ?? ""
    message.showMissing = try request.flag("showMissing")
    if let mask = request.mask("mask") { message.mask = mask }
    if let id = try request.bytes("transaction") { message.transaction = id }
    if let time = try request.time("readTime") { message.readTime = time }
    // A list may be large. A document has a limit, and does not wait for room as long.
    return try await RestReply.json(.any) {
      try await request.firestore.listDocuments(message, as: request.caller)
    }
  }

  /// The path is that of a collection. Without `documentId` the server chooses one.
  static func create(_ request: RestCall) async throws -> OutgoingReply {
    guard !request.segments.isEmpty else {
      throw APIError(.routeNotFound, message: "Not Found")
    }
    try request.checkParameters(created)
    var message = CreateDocumentRequest()
    message.parent = request.parentName
    message.collectionID = request.segments.last ?? ""
    message.documentID = request.query["documentId"] ?? ""
    message.document = try request.message(in: "document") { _ in }
    if let mask = request.mask("mask") { message.mask = mask }
    return try await RestReply.json {
      try await request.firestore.createDocument(message, as: request.caller)
    }
  }

  /// `updateMask` says what is written, `mask` what is answered.
  static func patch(_ request: RestCall) async throws -> OutgoingReply {
    try request.checkParameters(patched)
    var message = UpdateDocumentRequest()
    // The name in the path counts, whatever the body says.
    message.document = try request.message(in: "document") { $0.name = request.name }
    if let mask = request.mask("updateMask") { message.updateMask = mask }
    if let mask = request.mask("mask") { message.mask = mask }
    if let condition = try request.precondition() { message.currentDocument = condition }
    return try await RestReply.json {
      try await request.firestore.updateDocument(message, as: request.caller)
    }
  }

  static func delete(_ request: RestCall) async throws -> OutgoingReply {
    try request.checkParameters(conditions)
    var message = DeleteDocumentRequest()
    message.name = request.name
    if let condition = try request.precondition() { message.currentDocument = condition }
    // No room is waited for: the answer is empty.
    try await EventLoopExecutor.stage {
      try await request.firestore.deleteDocument(message, as: request.caller)
    }
    return ReplyWriter.json([:])
  }
}
