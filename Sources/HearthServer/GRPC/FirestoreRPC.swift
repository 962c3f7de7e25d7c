import Firestore
import FirestoreProtos
import GRPCCore
import HearthCore
import HearthStore
import SwiftProtobuf

/// Firestore over gRPC: finds out who calls, hands the messages on, and names failures as gRPC does.
struct FirestoreRPC: Google_Firestore_V1_Firestore.ServiceProtocol {
  let firestore: Firestore
  let calls: FirestoreCalls

  // MARK: One answer

  func getDocument(
    request: ServerRequest<GetDocumentRequest>, context: ServerContext
  ) async throws -> ServerResponse<Document> {
    try await answer(request, context, "get", in: request.message.name) {
      message, caller throws(APIError) in
      try await firestore.getDocument(message, as: caller)
    }
  }

  func listDocuments(
    request: ServerRequest<ListDocumentsRequest>, context: ServerContext
  ) async throws -> ServerResponse<ListDocumentsResponse> {
    try await answer(request, context, "list", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.listDocuments(message, as: caller)
    }
  }

  func updateDocument(
    request: ServerRequest<UpdateDocumentRequest>, context: ServerContext
  ) async throws -> ServerResponse<Document> {
    try await answer(request, context, "patch", in: request.message.document.name) {
      message, caller throws(APIError) in
      try await firestore.updateDocument(message, as: caller)
    }
  }

  func deleteDocument(
    request: ServerRequest<DeleteDocumentRequest>, context: ServerContext
  ) async throws -> ServerResponse<Google_Protobuf_Empty> {
    try await answer(request, context, "delete", in: request.message.name) {
      message, caller throws(APIError) in
      try await firestore.deleteDocument(message, as: caller)
      return Google_Protobuf_Empty()
    }
  }

  func createDocument(
    request: ServerRequest<CreateDocumentRequest>, context: ServerContext
  ) async throws -> ServerResponse<Document> {
    try await answer(request, context, "createDocument", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.createDocument(message, as: caller)
    }
  }

  func beginTransaction(
    request: ServerRequest<BeginTransactionRequest>, context: ServerContext
  ) async throws -> ServerResponse<BeginTransactionResponse> {
    try await answer(request, context, "beginTransaction", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.beginTransaction(message, as: caller)
    }
  }

  func commit(
    request: ServerRequest<CommitRequest>, context: ServerContext
  ) async throws -> ServerResponse<CommitResponse> {
    try await answer(request, context, "commit", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.commit(message, as: caller)
    }
  }

  func rollback(
    request: ServerRequest<RollbackRequest>, context: ServerContext
  ) async throws -> ServerResponse<Google_Protobuf_Empty> {
    try await answer(request, context, "rollback", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.rollback(message, as: caller)
      return Google_Protobuf_Empty()
    }
  }

  func partitionQuery(
    request: ServerRequest<PartitionQueryRequest>, context: ServerContext
  ) async throws -> ServerResponse<PartitionQueryResponse> {
    try await answer(request, context, "partitionQuery", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.partitionQuery(message, as: caller)
    }
  }

  func listCollectionIds(
    request: ServerRequest<ListCollectionIdsRequest>, context: ServerContext
  ) async throws -> ServerResponse<ListCollectionIdsResponse> {
    try await answer(request, context, "listCollectionIds", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.listCollectionIds(message, as: caller)
    }
  }

  func batchWrite(
    request: ServerRequest<BatchWriteRequest>, context: ServerContext
  ) async throws -> ServerResponse<BatchWriteResponse> {
    try await answer(request, context, "batchWrite", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.batchWrite(message, as: caller)
    }
  }

  // MARK: Many answers

  func batchGetDocuments(
    request: ServerRequest<BatchGetDocumentsRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<BatchGetDocumentsResponse> {
    try await answers(request, context, "batchGet", in: request.message.database) {
      message, caller throws(APIError) in
      try await firestore.batchGetDocuments(message, as: caller)
    }
  }

  func runQuery(
    request: ServerRequest<RunQueryRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<RunQueryResponse> {
    try await answers(request, context, "runQuery", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.runQuery(message, as: caller)
    }
  }

  func runAggregationQuery(
    request: ServerRequest<RunAggregationQueryRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<RunAggregationQueryResponse> {
    try await answers(request, context, "runAggregationQuery", in: request.message.parent) {
      message, caller throws(APIError) in
      try await firestore.runAggregationQuery(message, as: caller)
    }
  }

  func executePipeline(
    request: ServerRequest<Google_Firestore_V1_ExecutePipelineRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<Google_Firestore_V1_ExecutePipelineResponse> {
    try await answers(request, context, "executePipeline", in: request.message.database) {
      _, _ throws(APIError) in
      throw APIError(.notBuilt, message: "ExecutePipeline is not implemented.")
    }
  }

  private func answer<Input: Sendable, Output: Sendable>(
    _ request: ServerRequest<Input>, _ context: ServerContext, _ verb: String, in name: String,
    _ body: (Input, FirestoreCaller) async throws(APIError) -> Output
  ) async throws -> ServerResponse<Output> {
    let call = call(request.metadata, context, verb, in: name)
    return try await Self.naming {
      try await calls.answer(call) { caller throws(APIError) in
        ServerResponse(message: try await body(request.message, caller))
      }
    }
  }

  private func answers<Input: Sendable, Output: Sendable>(
    _ request: ServerRequest<Input>, _ context: ServerContext, _ verb: String, in name: String,
    _ body: (Input, FirestoreCaller) async throws(APIError) -> [Output]
  ) async throws -> StreamingServerResponse<Output> {
    let call = call(request.metadata, context, verb, in: name)
    let outputs = try await Self.naming {
      try await calls.answer(call) { caller throws(APIError) in
        try await body(request.message, caller)
      }
    }
    return StreamingServerResponse { writer in
      for output in outputs { try await writer.write(output) }
      return [:]
    }
  }

  /// The name is one of the request's resources: its second segment is the project.
  private func call(
    _ metadata: Metadata, _ context: ServerContext, _ verb: String, in name: String
  ) -> FirestoreCall {
    let parts = name.split(separator: "/", maxSplits: 2)
    return FirestoreCall(
      operation: FirestoreCall.operation(verb), path: Self.path(context),
      authorization: metadata.authorization,
      project: parts.count > 1 ? String(parts[1]) : calls.credentials.server.defaultProject,
      resource: name)
  }

  // MARK: Streams

  func listen(
    request: StreamingServerRequest<ListenRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<ListenResponse> {
    let stream = stream("listen", request.metadata, context)
    return StreamingServerResponse { writer in
      try await Self.naming {
        try await stream.listen(request.messages, in: firestore) { try await writer.write($0) }
      }
      return [:]
    }
  }

  func write(
    request: StreamingServerRequest<WriteRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<WriteResponse> {
    let stream = stream("write", request.metadata, context)
    return StreamingServerResponse { writer in
      try await Self.naming {
        try await stream.write(request.messages, in: firestore) { try await writer.write($0) }
      }
      return [:]
    }
  }

  private func stream(
    _ verb: String, _ metadata: Metadata, _ context: ServerContext
  ) -> FirestoreStream {
    FirestoreStream(
      calls, verb, path: Self.path(context), authorization: metadata.authorization)
  }

  // MARK: Names

  private static func path(_ context: ServerContext) -> String {
    "/" + context.descriptor.fullyQualifiedMethod
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

extension Metadata {
  fileprivate var authorization: String? {
    self[stringValues: "authorization"].first { _ in true }
  }
}
