import Firestore
import FirestoreProtos
import GRPCCore
import HearthCore
import HearthStore
import SwiftProtobuf

/// Firestore over gRPC: finds out who calls, hands the messages on, and names failures as gRPC does.
struct FirestoreRPC: Google_Firestore_V1_Firestore.ServiceProtocol {
  let firestore: Firestore
  let credentials: FirestoreCredentials
  let faults: Faults

  // MARK: One answer

  func getDocument(
    request: ServerRequest<GetDocumentRequest>, context: ServerContext
  ) async throws -> ServerResponse<Document> {
    try await answer(request, "get", in: request.message.name) {
      message, caller throws(APIError) in
      try await firestore.getDocument(message, as: caller)
    }
  }

  func listDocuments(
    request: ServerRequest<ListDocumentsRequest>, context: ServerContext
  ) async throws -> ServerResponse<ListDocumentsResponse> {
    try await answer(request, "get", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.listDocuments(message, as: caller)
    }
  }

  func updateDocument(
    request: ServerRequest<UpdateDocumentRequest>, context: ServerContext
  ) async throws -> ServerResponse<Document> {
    try await answer(request, "patch", in: request.message.document.name) {
      message, caller throws(APIError) in
      try await firestore.updateDocument(message, as: caller)
    }
  }

  func deleteDocument(
    request: ServerRequest<DeleteDocumentRequest>, context: ServerContext
  ) async throws -> ServerResponse<Google_Protobuf_Empty> {
    try await answer(request, "delete", in: request.message.name) {
      message, caller throws(APIError) in
      try await firestore.deleteDocument(message, as: caller)
      return Google_Protobuf_Empty()
    }
  }

  func createDocument(
    request: ServerRequest<CreateDocumentRequest>, context: ServerContext
  ) async throws -> ServerResponse<Document> {
    try await answer(request, "createDocument", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.createDocument(message, as: caller)
    }
  }

  func beginTransaction(
    request: ServerRequest<BeginTransactionRequest>, context: ServerContext
  ) async throws -> ServerResponse<BeginTransactionResponse> {
    try await answer(request, "beginTransaction", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.beginTransaction(message, as: caller)
    }
  }

  func commit(
    request: ServerRequest<CommitRequest>, context: ServerContext
  ) async throws -> ServerResponse<CommitResponse> {
    try await answer(request, "commit", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.commit(message, as: caller)
    }
  }

  func rollback(
    request: ServerRequest<RollbackRequest>, context: ServerContext
  ) async throws -> ServerResponse<Google_Protobuf_Empty> {
    try await answer(request, "rollback", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.rollback(message, as: caller)
      return Google_Protobuf_Empty()
    }
  }

  func partitionQuery(
    request: ServerRequest<PartitionQueryRequest>, context: ServerContext
  ) async throws -> ServerResponse<PartitionQueryResponse> {
    try await answer(request, "partitionQuery", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.partitionQuery(message, as: caller)
    }
  }

  func listCollectionIds(
    request: ServerRequest<ListCollectionIdsRequest>, context: ServerContext
  ) async throws -> ServerResponse<ListCollectionIdsResponse> {
    try await answer(request, "listCollectionIds", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.listCollectionIds(message, as: caller)
    }
  }

  func batchWrite(
    request: ServerRequest<BatchWriteRequest>, context: ServerContext
  ) async throws -> ServerResponse<BatchWriteResponse> {
    try await answer(request, "batchWrite", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.batchWrite(message, as: caller)
    }
  }

  // MARK: Many answers

  func batchGetDocuments(
    request: ServerRequest<BatchGetDocumentsRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<BatchGetDocumentsResponse> {
    try await answers(request, "batchGet", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.batchGetDocuments(message, as: caller)
    }
  }

  func runQuery(
    request: ServerRequest<RunQueryRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<RunQueryResponse> {
    try await answers(request, "runQuery", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.runQuery(message, as: caller)
    }
  }

  func runAggregationQuery(
    request: ServerRequest<RunAggregationQueryRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<RunAggregationQueryResponse> {
    try await answers(request, "runAggregationQuery", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.runAggregationQuery(message, as: caller)
    }
  }

  func executePipeline(
    request: ServerRequest<Google_Firestore_V1_ExecutePipelineRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<Google_Firestore_V1_ExecutePipelineResponse> {
    throw RPCError(code: .unimplemented, message: "ExecutePipeline is not implemented.")
  }

  // MARK: Streams

  func listen(
    request: StreamingServerRequest<ListenRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<ListenResponse> {
    let caller = resolution(request.metadata)
    return StreamingServerResponse { writer in
      try await Self.naming {
        try await firestore.listen(request.messages, as: caller) { try await writer.write($0) }
      }
      return [:]
    }
  }

  func write(
    request: StreamingServerRequest<WriteRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<WriteResponse> {
    let caller = resolution(request.metadata)
    return StreamingServerResponse { writer in
      try await Self.naming {
        try await firestore.write(request.messages, as: caller) { try await writer.write($0) }
      }
      return [:]
    }
  }

  /// Who calls is known when the first message names a database.
  private func resolution(_ metadata: Metadata) -> CallerResolution {
    let authorization = metadata[stringValues: "authorization"].first { _ in true }
    let credentials = credentials
    return { database async throws(APIError) in
      try await credentials.caller(authorization, project: database.project)
    }
  }

  // MARK: Callers and failures

  /// The name is one of the request's resources: its second segment is the project.
  private func caller(
    _ metadata: Metadata, in name: String
  ) async throws(APIError) -> FirestoreCaller {
    let authorization = metadata[stringValues: "authorization"].first { _ in true }
    return try await credentials.caller(authorization, project: project(of: name))
  }

  private func answer<Input: Sendable, Output: Sendable>(
    _ request: ServerRequest<Input>, _ verb: String, in name: String,
    _ body: (Input, FirestoreCaller) async throws(APIError) -> Output
  ) async throws -> ServerResponse<Output> {
    try await Self.naming {
      let caller = try await caller(request.metadata, in: name)
      return try await faulted(verb, in: name) { () async throws(APIError) in
        ServerResponse(message: try await body(request.message, caller))
      }
    }
  }

  /// As over REST. gRPC has no connection of its own for a call: one that would be dropped ends as
  /// a client sees a connection that broke.
  private func faulted<Output>(
    _ verb: String, in name: String, _ body: () async throws(APIError) -> Output
  ) async throws(APIError) -> Output {
    let effects = faults.effects(
      in: project(of: name), "firestore.projects.databases.documents.\(verb)", email: nil)
    var isLost = false
    for effect in effects {
      switch effect {
      case .wait(let duration):
        let clock = credentials.server.clock
        await clock.wait(until: clock.now + duration)
      case .refuse(let error): throw error
      case .drop(afterwards: false): throw Self.lost
      case .drop(afterwards: true): isLost = true
      case .slow: break
      }
    }
    let output = try await body()
    if isLost { throw Self.lost }
    return output
  }

  private static let lost = APIError(.unavailable, message: "Connection dropped by a fault.")

  private func project(of name: String) -> String {
    let parts = name.split(separator: "/", maxSplits: 2)
    return parts.count > 1 ? String(parts[1]) : credentials.server.defaultProject
  }

  private func answers<Input: Sendable, Output: Sendable>(
    _ request: ServerRequest<Input>, _ verb: String, in name: String,
    _ body: (Input, FirestoreCaller) async throws(APIError) -> [Output]
  ) async throws -> StreamingServerResponse<Output> {
    let outputs = try await Self.naming {
      let caller = try await caller(request.metadata, in: name)
      return try await faulted(verb, in: name) { () async throws(APIError) in
        try await body(request.message, caller)
      }
    }
    return StreamingServerResponse { writer in
      for output in outputs { try await writer.write(output) }
      return [:]
    }
  }

  private static func naming<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as APIError {
      let code = Status.Code(rawValue: Int(error.rpcCode)).flatMap { RPCError.Code($0) }
      throw RPCError(code: code ?? .unknown, message: error.message)
    }
  }
}
