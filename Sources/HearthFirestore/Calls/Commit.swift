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
  /// The RPC `Commit`: writes with or without a transaction, which has ended afterwards unless the
  /// request itself is refused. With `mayContend`, a fault of a test may refuse the commit.
  ///
  /// - Throws: ABORTED where what the transaction has read has changed, or where locks were waited
  ///   for in vain.
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
    // A read-only transaction may still be committed without writes.
    if let transaction, transaction.mode != .readWrite, !request.writes.isEmpty {
      if isProduction { transactions.end(transaction.number) }
      throw .invalid("Cannot modify entities in a read-only transaction.")
    }
    func checkedWrites() throws(APIError) -> [CheckedWrite] {
      try CheckedWrite.together(request.writes, in: database, boundsPaths: !isProduction)
    }
    // What is malformed leaves the transaction open.
    let checked = transaction == nil ? nil : try checkedWrites()
    let results: [WriteResult]
    let time: Int64
    do throws(APIError) {
      // Here and not before the call is admitted: a transaction that stayed open would keep its
      // locks, and the next attempt would wait for them.
      if mayContend, contends(database, caller) { throw Transactions.contention }
      let writes = if let checked { checked } else { try checkedWrites() }
      let outcome = try await commit(writes, in: database, transaction: transaction, as: caller)
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

  /// What was done to each document, what the client receives for each write, and the time of the
  /// commit in microseconds.
  typealias CommitOutcome = (
    result: (effects: [DocumentEffect], results: [WriteResult]), time: Int64
  )

  /// Writes without a transaction.
  func commit(
    _ writes: [Write], in database: DatabaseName, caller: FirestoreCaller
  ) async throws(APIError) -> CommitOutcome {
    let checked = try CheckedWrite.together(
      writes, in: database, boundsPaths: !answersAsProduction(database.project))
    return try await commit(checked, in: database, transaction: nil, as: caller)
  }

  /// All writes, or none. They wait for transactions that have locked what is written.
  private func commit(
    _ writes: [CheckedWrite], in database: DatabaseName, transaction: OpenTransaction?,
    as caller: FirestoreCaller
  ) async throws(APIError) -> CommitOutcome {
    let limits = switches(database.project).limits == .production ? commitLimits : nil
    func attempt() async throws(APIError) -> CommitOutcome? {
      try await RuleVerdicts.settle(in: self, database: database) { verdicts throws(APIError) in
        try self.attempt(
          writes, in: database, transaction: transaction, caller: caller, verdicts: verdicts,
          limits: limits)
      }
    }
    if let outcome = try await attempt() { return outcome }
    // From here on, however often the locks change hands: the wait has one end for all attempts.
    let start = clocks.machine.now
    let paths = writes.map(\.path)
    // Free is only what an attempt finds free: between waking up and the transaction of the store,
    // others may lock the documents again.
    while true {
      try await transactions.waitToWrite(paths, for: transaction?.number, since: start)
      if let outcome = try await attempt() { return outcome }
    }
  }

  /// One try in one transaction of the store. Nil when a transaction has locked what is written:
  /// then it is undone, and the caller waits outside of the store.
  private func attempt(
    _ writes: [CheckedWrite], in database: DatabaseName, transaction: OpenTransaction?,
    caller: FirestoreCaller, verdicts: RuleVerdicts, limits: CommitLimits?
  ) throws(APIError) -> CommitOutcome? {
    var isLocked = false
    do throws(APIError) {
      return try commit(in: database, by: caller) { application throws(APIError) in
        // Asked within the transaction of the store. A reader locks before it reads, so it sees
        // either this write or none of it.
        isLocked = transactions.isLocked(against: transaction?.number) { writes.map(\.path) }
        if isLocked { throw Transactions.lockTimeout }
        let applied = try apply(
          writes, in: database, transaction: transaction, caller: caller, verdicts: verdicts,
          application: application)
        // Only after the writes is known what they leave.
        try limits?.check(applied.effects)
        return applied
      }
    } catch {
      if isLocked { return nil }
      throw error
    }
  }

  /// Applies and stores writes.
  ///
  /// - Returns: what the client receives, and what the log of commits does.
  private func apply(
    _ writes: [CheckedWrite], in database: DatabaseName, transaction: OpenTransaction?,
    caller: FirestoreCaller, verdicts: RuleVerdicts, application: WriteApplication
  ) throws(APIError) -> (
    result: (effects: [DocumentEffect], results: [WriteResult]), effects: [DocumentEffect]
  ) {
    // In the same transaction of the store as the writes, which may replace what was read.
    if let transaction { try application.documents.check(transaction) }
    let application = try application.timed(for: writes)
    let gate = RulesGate(
      self, caller: caller, database: database, documents: application.documents,
      verdicts: verdicts, time: application.requestTime)
    var applied = try application.apply(writes, keepsUnmet: gate != nil)
    // Rules see what would be left.
    try gate?.checkWrites(applied.changes, of: writes)
    if let unmet = applied.unmet { throw unmet }
    let changes = try applied.store()
    return ((changes, applied.results), changes)
  }

  /// The RPC `BeginTransaction`. Rules are not asked: they judge what is read and written in it.
  ///
  /// - Throws: PERMISSION_DENIED in production, where locks are for administrators.
  package func beginTransaction(
    _ request: BeginTransactionRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> BeginTransactionResponse {
    let database = try DatabaseName(request.database)
    let transaction = try open(request.options, in: database, as: caller)
    return .with { $0.transaction = transaction.id }
  }

  /// The RPC `Rollback`. It is not an error for a transaction that is over.
  package func rollback(
    _ request: RollbackRequest, as caller: FirestoreCaller
  ) async throws(APIError) {
    let database = try DatabaseName(request.database)
    try transactions.rollBack(request.transaction, in: database)
  }

  /// The RPC `BatchWrite`, which only administrators may call. Each write is a commit for itself:
  /// one that fails does not stop the others. Malformed ones do.
  package func batchWrite(
    _ request: BatchWriteRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> BatchWriteResponse {
    let database = try DatabaseName(request.database)
    try CheckedWrite.checkApart(
      request.writes, in: database, boundsPaths: !answersAsProduction(database.project))
    guard caller.isOwner else {
      throw APIError(.permissionDenied, message: "Batch writes require admin authentication.")
        .inProduction(APIError.denied.message)
    }
    var response = BatchWriteResponse()
    for write in request.writes {
      do throws(APIError) {
        if contends(database, caller) { throw Transactions.contention }
        let ((_, results), _) = try await commit([write], in: database, caller: caller)
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
  /// Whether everything that the transaction has read is still so. Locks alone do not tell: a mode
  /// may take none, and no lock is on documents that a query did not find.
  ///
  /// - Throws: ABORTED, so that the client runs the transaction again.
  fileprivate func check(_ transaction: OpenTransaction) throws(APIError) {
    for (path, version) in transaction.reads {
      // A commit that changes a document changes its time.
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
