import Foundation
import HTTPTypes
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthIdentityToolkit
import HearthOperations
import HearthPages
import HearthWire
import SwiftProtobuf

/// Firestore over REST: makes the message that gRPC would have brought of path, query and body, and
/// JSON of the answer.
struct FirestoreGateway: Sendable {
  let firestore: Firestore
  let credentials: FirestoreCredentials

  func respond(
    to call: IncomingCall, _ route: Route, _ variables: [String: String],
    _ record: inout CallRecord
  ) async -> OutgoingReply {
    let refusal: APIError
    do {
      return try await answer(call, route, variables, &record)
    } catch let error as APIError {
      refusal = error
    } catch {
      refusal = APIError(.internalError, message: "\(error)")
    }
    record.error = refusal
    return ReplyWriter.refusal(refusal, as: .firestore)
  }

  /// The address in the caller's token; nil where there is none, or a token that is not good.
  func email(of call: IncomingCall, in project: String) async -> String? {
    try? await credentials.caller(call.headers[.authorization], project: project).email
  }

  private func answer(
    _ call: IncomingCall, _ route: Route, _ variables: [String: String],
    _ record: inout CallRecord
  ) async throws -> OutgoingReply {
    let project = variables["targetProjectId"] ?? ""
    let database = DatabaseName(project: project, database: variables["databaseId"] ?? "")
    switch route.id {
    case "emulator.firestore.setSecurityRules": return try setRules(of: .project(project), call)
    case "emulator.firestore.setDatabaseRules": return try setRules(of: .database(database), call)
    case "emulator.firestore.getSecurityRules":
      return ReplyWriter.json(firestore.securityRules(of: .project(project)))
    case "emulator.firestore.getDatabaseRules":
      return ReplyWriter.json(firestore.securityRules(of: .database(database)))
    case "emulator.firestore.ruleCoverage":
      return ReplyWriter.json(firestore.ruleCoverage(of: project))
    case "emulator.firestore.ruleCoveragePage": return coveragePage(of: project)
    case "emulator.firestore.clear":
      try await firestore.clear(database)
      return ReplyWriter.json([:])
    case "emulator.firestore.deleteSubtree":
      return try await deleteSubtree(database, call)
    case "emulator.firestore.bulkDelete":
      return try await bulkDelete(call)
    case "emulator.firestore.indexUsage":
      // No index is missed here, so none is counted.
      return ReplyWriter.json(["reports": []])
    default: break
    }
    let caller = try await credentials.caller(call.headers[.authorization], project: project)
    record.caller = AnsweredCall.Caller(caller)
    let request = RestRequest(
      call, database: database, segments: Self.segments(call.path), caller: caller)
    switch route.id.split(separator: ".").last {
    case "get": return try await read(request)
    case "createDocument": return try await create(request)
    case "patch": return try await patch(request)
    case "delete": return try await delete(request)
    case "batchGet":
      return try await Self.array {
        try await firestore.batchGetDocuments(
          request.message { $0.database = database.description }, as: request.caller)
      }
    case "batchWrite":
      return try await Self.json {
        try await firestore.batchWrite(
          request.message { $0.database = database.description }, as: request.caller)
      }
    case "beginTransaction":
      return try await Self.json {
        try await firestore.beginTransaction(
          request.message { $0.database = database.description }, as: request.caller)
      }
    case "commit":
      return try await Self.json {
        try await firestore.commit(
          request.message { $0.database = database.description }, as: request.caller)
      }
    case "rollback":
      try await firestore.rollback(
        request.message { $0.database = database.description }, as: request.caller)
      return ReplyWriter.json([:])
    case "listCollectionIds":
      return try await Self.json {
        try await firestore.listCollectionIds(
          request.message { $0.parent = request.name }, as: request.caller)
      }
    case "partitionQuery":
      return try await Self.json {
        try await firestore.partitionQuery(
          request.message { $0.parent = request.name }, as: request.caller)
      }
    case "runAggregationQuery":
      return try await Self.array(.document) {
        try await firestore.runAggregationQuery(
          request.message { $0.parent = request.name }, as: request.caller)
      }
    case "runQuery":
      return try await Self.array {
        try await firestore.runQuery(
          request.message { $0.parent = request.name }, as: request.caller)
      }
    default:
      throw APIError(.unimplemented, message: "\(route.id) is not implemented.")
    }
  }

  private func setRules(
    of owner: Firestore.RulesOwner, _ call: IncomingCall
  ) throws -> OutgoingReply {
    guard let body = try? JSON.parse(call.body) else {
      throw APIError(.invalidPayload, message: "Invalid JSON payload received.")
    }
    return ReplyWriter.json(try firestore.setSecurityRules(of: owner, body))
  }

  private func coveragePage(of project: String) -> OutgoingReply {
    var reply = ReplyWriter.text(
      firestore.ruleCoveragePage(of: project), contentType: HTML.contentType)
    for header in ActionPage.headers {
      if let name = HTTPField.Name(header.name) { reply.headers[name] = header.value }
    }
    return reply
  }

  /// The path behind `documents`, each segment decoded once, the verb cut off.
  private static func segments(_ path: Substring) -> [String] {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(7)
    if let last = parts.last, let colon = last.lastIndex(of: ":"), isVerb(last[colon...]) {
      parts[parts.endIndex - 1] = last[..<colon]
    }
    return parts.map { PercentCoding.decode($0) }
  }

  private static func isVerb(_ text: Substring) -> Bool {
    [":listCollectionIds", ":partitionQuery", ":runAggregationQuery", ":runQuery"]
      .contains(String(text))
  }

  // MARK: Documents

  private func read(_ request: RestRequest) async throws -> OutgoingReply {
    let query = request.query
    guard !request.segments.isEmpty else {
      throw APIError(.routeNotFound, message: "Not Found")
    }
    if request.segments.count.isMultiple(of: 2) {
      var message = GetDocumentRequest()
      message.name = request.name
      if let mask = request.mask("mask.fieldPaths") { message.mask = mask }
      if let id = try request.bytes("transaction") { message.transaction = id }
      if let time = try request.time("readTime") { message.readTime = time }
      return try await Self.json { try await firestore.getDocument(message, as: request.caller) }
    }
    var message = ListDocumentsRequest()
    message.parent = request.parentName
    message.collectionID = request.segments.last ?? ""
    message.pageSize = try request.number("pageSize") ?? 0
    message.pageToken = query["pageToken"] ?? ""
    message.orderBy = query["orderBy"] ?? ""
    message.showMissing = query["showMissing"] == "true"
    if let mask = request.mask("mask.fieldPaths") { message.mask = mask }
    if let id = try request.bytes("transaction") { message.transaction = id }
    if let time = try request.time("readTime") { message.readTime = time }
    return try await Self.json(.any) {
      try await firestore.listDocuments(message, as: request.caller)
    }
  }

  private func create(_ request: RestRequest) async throws -> OutgoingReply {
    guard !request.segments.isEmpty else {
      throw APIError(.routeNotFound, message: "Not Found")
    }
    var message = CreateDocumentRequest()
    message.parent = request.parentName
    message.collectionID = request.segments.last ?? ""
    message.documentID = request.query["documentId"] ?? ""
    message.document = try request.message { _ in }
    if let mask = request.mask("mask.fieldPaths") { message.mask = mask }
    return try await Self.json { try await firestore.createDocument(message, as: request.caller) }
  }

  private func patch(_ request: RestRequest) async throws -> OutgoingReply {
    var message = UpdateDocumentRequest()
    message.document = try request.message { $0.name = request.name }
    if let mask = request.mask("updateMask.fieldPaths") { message.updateMask = mask }
    if let mask = request.mask("mask.fieldPaths") { message.mask = mask }
    if let condition = try request.precondition() { message.currentDocument = condition }
    return try await Self.json { try await firestore.updateDocument(message, as: request.caller) }
  }

  private func delete(_ request: RestRequest) async throws -> OutgoingReply {
    var message = DeleteDocumentRequest()
    message.name = request.name
    if let condition = try request.precondition() { message.currentDocument = condition }
    try await EventLoopExecutor.stage {
      try await firestore.deleteDocument(message, as: request.caller)
    }
    return ReplyWriter.json([:])
  }

  // MARK: Answers

  private static func json(
    _ size: LargeAnswers.Size = .document, of call: () async throws -> some Message
  ) async throws -> OutgoingReply {
    try await EventLoopExecutor.stage {
      if LargeAnswers.shared.isFull { await LargeAnswers.shared.room(for: size) }
      return reply(try FirestoreJSON.encode(try await call()))
    }
  }

  private static func array(
    _ size: LargeAnswers.Size = .any, of call: () async throws -> [some Message]
  ) async throws -> OutgoingReply {
    try await EventLoopExecutor.stage {
      if LargeAnswers.shared.isFull { await LargeAnswers.shared.room(for: size) }
      let messages = try await call()
      var bytes = Array("[".utf8)
      for (index, message) in messages.enumerated() {
        if index > 0 { bytes.append(contentsOf: ",\n".utf8) }
        try FirestoreJSON.append(message, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
      return reply(bytes)
    }
  }

  private static func reply(_ bytes: [UInt8]) -> OutgoingReply {
    var reply = OutgoingReply(status: 200, body: bytes)
    reply.pending = LargeAnswers.shared.note(bytes.count)
    reply.headers[.contentType] = "application/json; charset=UTF-8"
    return reply
  }
}

/// What a REST call says.
private struct RestRequest {
  let database: DatabaseName
  /// Below `documents`.
  let segments: [String]
  let caller: FirestoreCaller
  let query: FormFields
  private let body: [UInt8]

  init(
    _ call: IncomingCall, database: DatabaseName, segments: [String], caller: FirestoreCaller
  ) {
    self.database = database
    self.segments = segments
    self.caller = caller
    var query = FormFields(parsing: call.query)
    query.pairs = query.pairs.map {
      FormFields.Pair(name: Self.camelCase($0.name), value: $0.value)
    }
    self.query = query
    body = call.body
  }

  /// Google's services take `page_size` for `pageSize`.
  private static func camelCase(_ name: String) -> String {
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    return words.dropFirst().reduce(String(words[0])) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }

  var name: String { name(segments) }
  var parentName: String { name(segments.dropLast()) }

  private func name(_ segments: some Collection<String>) -> String {
    ([database.documents] + segments).joined(separator: "/")
  }

  /// The body as a message; what stands in the path is filled in.
  func message<Body: Message>(_ complete: (inout Body) -> Void) throws(APIError) -> Body {
    var message = body.isEmpty ? Body() : try FirestoreJSON.decode(body)
    complete(&message)
    return message
  }

  /// Nil where the parameter is not given.
  func mask(_ parameter: String) -> DocumentMask? {
    let paths = query.values(of: parameter)
    return paths.isEmpty ? nil : .with { $0.fieldPaths = paths }
  }

  func number(_ parameter: String) throws(APIError) -> Int32? {
    guard let text = query[parameter].nonEmpty else { return nil }
    guard let number = Int32(text) else { throw fault(parameter) }
    return number
  }

  func bytes(_ parameter: String) throws(APIError) -> Data? {
    guard let text = query[parameter].nonEmpty else { return nil }
    guard let bytes = Base64.decode(text) else { throw fault(parameter) }
    return Data(bytes)
  }

  func time(_ parameter: String) throws(APIError) -> ProtoTimestamp? {
    guard let text = query[parameter].nonEmpty else { return nil }
    guard let time = ProtoTimestamp(iso8601: text) else { throw fault(parameter) }
    return time
  }

  func precondition() throws(APIError) -> Precondition? {
    if let time = try time("currentDocument.updateTime") { return .with { $0.updateTime = time } }
    switch query["currentDocument.exists"] {
    case nil: return nil
    case "true": return .with { $0.exists = true }
    case "false": return .with { $0.exists = false }
    default: throw fault("currentDocument.exists")
    }
  }

  private func fault(_ parameter: String) -> APIError {
    APIError(.invalidArgument, message: "Invalid value for the parameter \"\(parameter)\".")
  }
}
