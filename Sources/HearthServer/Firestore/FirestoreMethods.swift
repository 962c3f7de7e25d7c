import HearthControl
import HearthErrors
import HearthExports
import HearthFirestore
import HearthFirestoreProtos
import HearthObservation
import HearthOperations
import HearthSeeds
import HearthTransport
import SwiftProtobuf

/// Firestore over gRPC: finds out who calls, and hands the messages on. One row for each method,
/// which runs in the task of its call and keeps nothing between calls.
struct FirestoreMethods: Sendable {
  private typealias Empty = Google_Protobuf_Empty
  private typealias Method = GRPCMethods.Method

  let firestore: Firestore
  let calls: FirestoreCalls
  let exports: Exports

  /// All of `google.firestore.v1.Firestore`, and what the official emulator has beside it.
  var all: GRPCMethods { GRPCMethods(documents + writes + queries + streams + emulator) }

  private var documents: [Method] {
    [
      call("GetDocument", verb: "get", in: \GetDocumentRequest.name) {
        message, caller throws(APIError) in
        [try await firestore.getDocument(message, as: caller)]
      },
      call(
        "ListDocuments", verb: "list", in: \ListDocumentsRequest.parent, size: { _ in .any },
        isQuery: true
      ) {
        message, caller throws(APIError) in
        [try await firestore.listDocuments(message, as: caller)]
      },
      call("ListCollectionIds", verb: "listCollectionIds", in: \ListCollectionIdsRequest.parent) {
        message, caller throws(APIError) in
        [try await firestore.listCollectionIds(message, as: caller)]
      },
      call(
        "BatchGetDocuments", verb: "batchGet", in: \BatchGetDocumentsRequest.database,
        // As most clients read a single document.
        size: { $0.documents.count > 1 ? .any : .document }
      ) { message, caller throws(APIError) in
        try await firestore.batchGetDocuments(message, as: caller)
      },
      call("BeginTransaction", verb: "beginTransaction", in: \BeginTransactionRequest.database) {
        message, caller throws(APIError) in
        [try await firestore.beginTransaction(message, as: caller)]
      },
      call("Rollback", verb: "rollback", in: \RollbackRequest.database) {
        message, caller throws(APIError) in
        try await firestore.rollback(message, as: caller)
        return [Empty()]
      },
    ]
  }

  private var writes: [Method] {
    [
      call("CreateDocument", verb: "createDocument", in: \CreateDocumentRequest.parent) {
        message, caller throws(APIError) in
        [try await firestore.createDocument(message, as: caller)]
      },
      call("UpdateDocument", verb: "patch", in: \UpdateDocumentRequest.document.name) {
        message, caller throws(APIError) in
        [try await firestore.updateDocument(message, as: caller)]
      },
      call("DeleteDocument", verb: "delete", in: \DeleteDocumentRequest.name) {
        message, caller throws(APIError) in
        try await firestore.deleteDocument(message, as: caller)
        return [Empty()]
      },
      call("Commit", verb: "commit", in: \CommitRequest.database) {
        message, caller throws(APIError) in
        [try await firestore.commit(message, as: caller)]
      },
      call("BatchWrite", verb: "batchWrite", in: \BatchWriteRequest.database) {
        message, caller throws(APIError) in
        [try await firestore.batchWrite(message, as: caller)]
      },
    ]
  }

  private var queries: [Method] {
    [
      call(
        "RunQuery", verb: "runQuery", in: { Self.place(of: $0.structuredQuery, below: $0.parent) },
        size: { _ in .any }, isQuery: true
      ) {
        message, caller throws(APIError) in
        try await firestore.runQuery(message, as: caller)
      },
      call(
        "RunAggregationQuery", verb: "runAggregationQuery",
        in: {
          Self.place(of: $0.structuredAggregationQuery.structuredQuery, below: $0.parent)
        },
        isQuery: true
      ) {
        message, caller throws(APIError) in
        try await firestore.runAggregationQuery(message, as: caller)
      },
      call(
        "PartitionQuery", verb: "partitionQuery", in: \PartitionQueryRequest.parent, isQuery: true
      ) {
        message, caller throws(APIError) in
        [try await firestore.partitionQuery(message, as: caller)]
      },
      call(
        "ExecutePipeline", verb: "executePipeline",
        in: \Google_Firestore_V1_ExecutePipelineRequest.database
      ) { message, _ throws(APIError) -> [Google_Firestore_V1_ExecutePipelineResponse] in
        // Production has pipelines in another edition of its databases.
        throw firestore.pipelineRefusal(for: project(of: message.database))
      },
    ]
  }

  private var streams: [Method] {
    [
      stream("Listen", verb: "listen") { stream, exchange in
        try await stream.listen(exchange.messages(of: ListenRequest.self), in: firestore) {
          try await exchange.send($0)
        }
      },
      stream("Write", verb: "write") { stream, exchange in
        try await stream.write(exchange.messages(of: WriteRequest.self), in: firestore) {
          try await exchange.send($0)
        }
      },
    ]
  }

  private var emulator: [Method] {
    [
      call(
        "ExportData", verb: "exportData", of: Self.emulatorService,
        in: \EmulatorExportDataRequest.database
      ) {
        message, _ throws(APIError) in
        let call = OfficialExportCall(
          database: message.database, exportDirectory: message.exportDirectory,
          exportName: message.exportName)
        try await call.export(exports)
        return [Empty()]
      },
      call(
        "ImportData", verb: "importData", of: Self.emulatorService,
        in: \EmulatorImportDataRequest.database
      ) {
        message, _ throws(APIError) in
        let call = OfficialExportCall(
          database: message.database, exportDirectory: message.exportDirectory)
        try await call.load(exports)
        return [Empty()]
      },
    ]
  }

  // MARK: Rows

  private static let service = "google.firestore.v1.Firestore"
  private static let emulatorService = "google.firestore.emulator.v1.FirestoreEmulator"

  private static func path(_ method: String, of service: String = service) -> String {
    "/\(service)/\(method)"
  }

  /// A method that takes one message. The body returns the messages of its answer, one unless it
  /// streams them.
  ///
  /// Faults and the request log know the method by `verb`, its name over REST. `name` finds a
  /// resource that the message names; its second segment is the project. `size` is how large the
  /// answer may become, by which it waits for room.
  private func call<Input: Message, Output: Message>(
    _ method: String, verb: String, of service: String = service,
    in name: @escaping @Sendable (Input) -> String,
    size: @escaping @Sendable (Input) -> LargeAnswers.Size = { _ in .document },
    isQuery: Bool = false,
    body: @escaping @Sendable (Input, FirestoreCaller) async throws(APIError) -> [Output]
  ) -> Method {
    let operation = FirestoreOperations.id(of: verb)
    let path = Self.path(method, of: service)
    return Method(path: path, kind: .call) { exchange in
      let message: Input = try await exchange.message()
      let resource = name(message)
      let project = project(of: resource)
      // Only a query can miss an index, and only some projects want to hear of it.
      let isWarned = isQuery && firestore.warnsOfMissingIndexes(project)
      let call = FirestoreCall(
        operation: operation, path: path, authorization: exchange.call.authorization,
        app: exchange.call.app, project: project, resource: resource, size: size(message),
        missed: isWarned ? MissedIndexes() : nil)
      // The messages are encoded, and refusals get their words, within the call: the request log
      // has what the client gets.
      let frames = try await calls.answer(call) { caller throws(APIError) in
        do throws(APIError) {
          // Here, since the bound of production depends on the project.
          try firestore.checkRequest(exchange.size, of: project)
          return try await GRPCFrames(try await body(message, caller))
        } catch {
          throw firestore.wordedForGRPC(error, for: call.project)
        }
      }
      try await exchange.write(frames)
    }
  }

  /// The collection that a query asks, as the request log names it.
  private static func place(of query: StructuredQuery, below parent: String) -> String {
    guard let id = query.from.first?.collectionID, !id.isEmpty else { return parent }
    return "\(parent)/\(id)"
  }

  /// Of `projects/{project}/databases/…`. What names no project is of the default one.
  private func project(of resource: String) -> String {
    let parts = resource.split(separator: "/", maxSplits: 2)
    return parts.count > 1 ? String(parts[1]) : calls.defaultProject
  }

  /// A method with a stream of messages each way. The first message names the database, so the call
  /// is admitted when it has come, by `FirestoreStream`.
  private func stream(
    _ method: String, verb: String,
    body: @escaping @Sendable (FirestoreStream, GRPCExchange) async throws -> Void
  ) -> Method {
    let path = Self.path(method)
    return Method(path: path, kind: .stream) { exchange in
      let stream = FirestoreStream(
        calls, verb: verb, path: path, authorization: exchange.call.authorization,
        app: exchange.call.app)
      try await body(stream, exchange)
    }
  }
}

extension GRPCCall {
  fileprivate var app: Admission.PresentedApp {
    Admission.PresentedApp(token: appCheck) { [client] in (client, nil) }
  }
}
