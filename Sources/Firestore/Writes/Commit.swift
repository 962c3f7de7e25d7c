package import FirestoreProtos
import Foundation
package import HearthCore
import HearthStore
import SwiftProtobuf

extension Firestore {
  package func commit(
    _ request: CommitRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> CommitResponse {
    let database = try DatabaseName(request.database)
    let transaction =
      request.transaction.isEmpty
      ? nil : try transactions.transaction(request.transaction, in: database)
    if let transaction, transaction.mode != .readWrite, !request.writes.isEmpty {
      throw .invalid("Cannot modify entities in a read-only transaction.")
    }
    let results: [WriteResult]
    let time: Int64
    do throws(APIError) {
      let outcome = try commit(request.writes, in: database, transaction, caller)
      (results, time) = (outcome.result.results, outcome.time)
    } catch {
      if let transaction { transactions.fail(transaction.id) }
      throw error
    }
    if let transaction { transactions.end(transaction.id) }
    return .with {
      $0.writeResults = results
      $0.commitTime = ProtoTimestamp(microseconds: time)
    }
  }

  /// All writes, or none.
  func commit(
    _ writes: [Write], in database: DatabaseName, _ transaction: OpenTransaction?,
    _ caller: FirestoreCaller
  ) throws(APIError) -> (
    result: (effects: [DocumentEffect], results: [WriteResult]), time: Int64
  ) {
    try commit(in: database) { application throws(APIError) in
      if let transaction { try application.documents.check(transaction) }
      if let gate = RulesGate(
        self, caller, database, application.documents, time: application.time)
      {
        try application.check(writes, with: gate)
      }
      var effects: [DocumentEffect] = []
      var results: [WriteResult] = []
      for write in writes {
        let (result, effect) = try application.apply(write)
        effects.append(effect)
        results.append(result)
      }
      return ((effects, results), effects)
    }
  }

  package func beginTransaction(
    _ request: BeginTransactionRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> BeginTransactionResponse {
    let database = try DatabaseName(request.database)
    let transaction = try open(request.options, in: database)
    return .with { $0.transaction = Data(transaction.id) }
  }

  package func rollback(
    _ request: RollbackRequest, as caller: FirestoreCaller
  ) async throws(APIError) {
    let database = try DatabaseName(request.database)
    guard !request.transaction.isEmpty else { throw .invalid("transaction is missing.") }
    try transactions.rollBack(request.transaction, in: database)
  }

  /// Each write for itself: one that fails does not stop the others.
  package func batchWrite(
    _ request: BatchWriteRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> BatchWriteResponse {
    let database = try DatabaseName(request.database)
    guard caller.isOwner else {
      throw APIError(.denied, message: "Batch writes require admin authentication.")
    }
    var seen: Set<String> = []
    for write in request.writes where !seen.insert(write.documentName).inserted {
      throw .invalid("BatchWrite must not write to \"\(write.documentName)\" twice.")
    }
    var response = BatchWriteResponse()
    for write in request.writes {
      do throws(APIError) {
        let ((_, results), _) = try commit([write], in: database, nil, caller)
        response.writeResults.append(results.first ?? WriteResult())
        response.status.append(Google_Rpc_Status())
      } catch {
        response.writeResults.append(WriteResult())
        response.status.append(error.rpcStatus)
      }
    }
    return response
  }
}

extension WriteApplication {
  /// Asks the rules what they say of the writes, before anything is said of preconditions: those
  /// tell what exists.
  fileprivate func check(_ writes: [Write], with gate: RulesGate) throws(APIError) {
    var denial: APIError?
    // The writes are tried and taken back.
    try documents.transaction.trying { () throws(APIError) in
      var effects: [DocumentEffect] = []
      for write in writes {
        var write = write
        write.clearCurrentDocument()
        effects.append(try apply(write).effect)
      }
      do throws(APIError) {
        try gate.checkWrites(effects, writes.map(\.currentDocument.conditionType))
      } catch { denial = error }
    }
    if let denial { throw denial }
  }
}

extension Write {
  fileprivate var documentName: String {
    switch operation {
    case .update(let document)?: document.name
    case .delete(let name)?, .verify(let name)?: name
    case .transform(let transform)?: transform.document
    case nil: ""
    }
  }
}

extension Documents {
  /// Whether everything that the transaction has read is still so.
  fileprivate func check(_ transaction: OpenTransaction) throws(APIError) {
    for (path, version) in transaction.reads {
      guard try document(at: path)?.updateTime == version else { throw Transactions.contention }
    }
    for (query, result) in transaction.queries {
      let found = try run(query).documents.map { ($0.path, $0.updateTime) }
      guard Dictionary(found, uniquingKeysWith: { $1 }) == result else {
        throw Transactions.contention
      }
    }
  }
}

extension APIError {
  /// The number of the status in gRPC.
  package var rpcCode: Int32 {
    switch code.status {
    case "CANCELLED": 1
    case "INVALID_ARGUMENT": 3
    case "DEADLINE_EXCEEDED": 4
    case "NOT_FOUND": 5
    case "ALREADY_EXISTS": 6
    case "PERMISSION_DENIED": 7
    case "RESOURCE_EXHAUSTED": 8
    case "FAILED_PRECONDITION": 9
    case "ABORTED": 10
    case "OUT_OF_RANGE": 11
    case "UNIMPLEMENTED", "NOT_IMPLEMENTED": 12
    case "INTERNAL": 13
    case "UNAVAILABLE": 14
    case "UNAUTHENTICATED": 16
    default: 2
    }
  }

  package var rpcStatus: Google_Rpc_Status {
    .with {
      $0.code = rpcCode
      $0.message = message
    }
  }
}
