package import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import HearthSQLite
import HearthTime
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  package func commit(
    _ request: CommitRequest, as caller: FirestoreCaller, mayContend: Bool = true
  ) async throws(APIError) -> CommitResponse {
    let database = try DatabaseName(request.database)
    let isProduction = answersAsProduction(database.project)
    var transaction: OpenTransaction?
    do throws(APIError) {
      transaction =
        request.transaction.isEmpty
        ? nil
        : try transactions.transaction(
          request.transaction, in: database, at: transactionTime(of: database))
    } catch {
      // Production lets a client try again what it wanted to write.
      let isOver = isProduction && error == Transactions.closed && !request.writes.isEmpty
      throw isOver ? APIError(.aborted, message: ProductionWording.over) : error
    }
    if let transaction, transaction.mode != .readWrite, !request.writes.isEmpty {
      if isProduction { transactions.end(transaction.number) }
      throw .invalid("Cannot modify entities in a read-only transaction.")
    }
    // What is malformed leaves the transaction open.
    if transaction != nil { _ = try CheckedWrite.together(request.writes, in: database) }
    let results: [WriteResult]
    let time: Int64
    do throws(APIError) {
      if mayContend, contends(database, caller) { throw Transactions.contention }
      let outcome = try await commit(request.writes, in: database, transaction, caller)
      (results, time) = (outcome.result.results, outcome.time)
    } catch {
      if let transaction { transactions.end(transaction.number) }
      throw error
    }
    if let transaction { transactions.end(transaction.number) }
    return .with {
      $0.writeResults = results
      // Observed: a commit without writes has no time.
      if !results.isEmpty { $0.commitTime = ProtoTimestamp(microseconds: time) }
    }
  }

  typealias CommitOutcome = (
    result: (effects: [DocumentEffect], results: [WriteResult]), time: Int64
  )

  /// All writes, or none. They wait for transactions that have locked what is written.
  func commit(
    _ writes: [Write], in database: DatabaseName, _ transaction: OpenTransaction?,
    _ caller: FirestoreCaller
  ) async throws(APIError) -> CommitOutcome {
    let writes = try CheckedWrite.together(writes, in: database)
    let limits = switches(database.project).limits == .production ? commitLimits : nil
    func attempt() async throws(APIError) -> CommitOutcome? {
      try await RuleVerdicts.settle(in: self) { verdicts throws(APIError) in
        try self.attempt(writes, in: database, transaction, caller, verdicts, limits)
      }
    }
    if let outcome = try await attempt() { return outcome }
    let start = clocks.machine.now
    let paths = writes.map(\.path)
    while true {
      try await transactions.waitToWrite(paths, for: transaction?.number, since: start)
      if let outcome = try await attempt() { return outcome }
    }
  }

  /// Nil when a transaction has locked what is written.
  private func attempt(
    _ writes: [CheckedWrite], in database: DatabaseName, _ transaction: OpenTransaction?,
    _ caller: FirestoreCaller, _ verdicts: RuleVerdicts, _ limits: CommitLimits?
  ) throws(APIError) -> CommitOutcome? {
    var isLocked = false
    do throws(APIError) {
      return try commit(in: database, by: caller) { application throws(APIError) in
        isLocked = transactions.isLocked(against: transaction?.number) { writes.map(\.path) }
        if isLocked { throw Transactions.lockTimeout }
        let applied = try apply(writes, in: database, transaction, caller, verdicts, application)
        try limits?.check(applied.effects)
        return applied
      }
    } catch {
      if isLocked { return nil }
      throw error
    }
  }

  private func apply(
    _ writes: [CheckedWrite], in database: DatabaseName, _ transaction: OpenTransaction?,
    _ caller: FirestoreCaller, _ verdicts: RuleVerdicts, _ application: WriteApplication
  ) throws(APIError) -> (
    result: (effects: [DocumentEffect], results: [WriteResult]), effects: [DocumentEffect]
  ) {
    if let transaction { try application.documents.check(transaction) }
    let gate = RulesGate(
      self, caller, database, application.documents, verdicts, time: application.time)
    var effects: [DocumentEffect] = []
    var results: [WriteResult] = []
    for write in writes {
      let (result, effect) = try application.apply(gate == nil ? write : write.unconditional)
      effects.append(effect)
      results.append(result)
    }
    if let gate {
      // Rules see what would be left, and are asked before preconditions, which tell what exists.
      // What either refuses is undone with the commit.
      try gate.checkWrites(effects, of: writes)
      for (write, effect) in zip(writes, effects) {
        try write.condition.check(effect.before, write.path)
      }
    }
    try RepeatedWrites.giveTimes(of: &effects, to: &results, in: application.documents)
    return ((effects, results), effects)
  }

  package func beginTransaction(
    _ request: BeginTransactionRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> BeginTransactionResponse {
    let database = try DatabaseName(request.database)
    let transaction = try open(request.options, in: database)
    return .with { $0.transaction = transaction.id }
  }

  package func rollback(
    _ request: RollbackRequest, as caller: FirestoreCaller
  ) async throws(APIError) {
    let database = try DatabaseName(request.database)
    try transactions.rollBack(request.transaction, in: database)
  }

  /// Each write for itself: one that fails does not stop the others. Malformed ones do.
  package func batchWrite(
    _ request: BatchWriteRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> BatchWriteResponse {
    let database = try DatabaseName(request.database)
    guard caller.isOwner else {
      throw APIError(.permissionDenied, message: "Batch writes require admin authentication.")
    }
    try CheckedWrite.checkApart(request.writes, in: database)
    var response = BatchWriteResponse()
    for write in request.writes {
      do throws(APIError) {
        if contends(database, caller) { throw Transactions.contention }
        let ((_, results), _) = try await commit([write], in: database, nil, caller)
        response.writeResults.append(results.first ?? WriteResult())
        response.status.append(Google_Rpc_Status())
      } catch {
        response.writeResults.append(WriteResult())
        response.status.append(worded(error, for: database.project).rpcStatus)
      }
    }
    return response
  }
}

extension Documents {
  /// Whether everything that the transaction has read is still so.
  fileprivate func check(_ transaction: OpenTransaction) throws(APIError) {
    for (path, version) in transaction.reads {
      guard try updateTime(at: path) == version else { throw Transactions.contention }
    }
    for (query, result) in transaction.queries {
      let found = try run(query).documents.map { ($0.path, $0.updateTime) }
      guard Dictionary(found, uniquingKeysWith: { $1 }) == result else {
        throw Transactions.contention
      }
    }
  }
}
