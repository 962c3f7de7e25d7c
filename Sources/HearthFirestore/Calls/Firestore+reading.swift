import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import HearthTime
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  func begin(
    _ selector: ReadSelector, in database: DatabaseName, as caller: FirestoreCaller
  ) throws(APIError) -> Reading {
    switch selector {
    case .now: return Reading(database: database, transaction: nil, newTransaction: nil, time: nil)
    case .transaction(let id):
      let transaction = try transactions.transaction(
        id, in: database, at: transactionTime(of: database))
      return Reading(
        database: database, transaction: transaction, newTransaction: nil,
        time: Self.time(of: transaction))
    case .newTransaction(let options):
      let transaction = try open(options.ofRead, in: database, as: caller)
      return Reading(
        database: database, transaction: transaction, newTransaction: transaction.id,
        time: Self.time(of: transaction))
    case .time(let time):
      let microseconds = try ReadTime.microseconds(time)
      try checkReadTime(microseconds, in: database)
      return Reading(
        database: database, transaction: nil, newTransaction: nil, time: microseconds)
    }
  }

  /// A read-only transaction without a time reads at the time of its beginning.
  ///
  /// - Throws: PERMISSION_DENIED in production where a user wants one that locks.
  func open(
    _ options: TransactionOptions, in database: DatabaseName, as caller: FirestoreCaller
  ) throws(APIError) -> OpenTransaction {
    if !caller.isOwner, !options.onlyReads, answersAsProduction(database.project) {
      throw .denied
    }
    switch options.mode {
    case .readOnly(let readOnly)?:
      // Times later than this one would not be repeatable: commits could still come before them.
      let now = try read { documents throws(APIError) in try readTime(documents, of: database) }
      var time = now
      if case .readTime(let wanted)? = readOnly.consistencySelector {
        time = try ReadTime.microseconds(wanted)
        guard time <= now else { throw ReadTime.inFuture }
        try checkReadTime(time, in: database)
        guard log.reachesBack(to: time, of: database) else {
          throw unknownPast(at: time, in: database)
        }
      }
      return try transactions.begin(
        .readOnly(at: time), concurrency: .optimistic, in: database,
        at: transactionTime(of: database))
    case .readWrite(let readWrite)? where !readWrite.retryTransaction.isEmpty:
      try transactions.check(readWrite.retryTransaction)
      return try transactions.begin(
        .readWrite, concurrency: switches(database.project).transactions, isRetry: true,
        in: database,
        at: transactionTime(of: database))
    case .readWrite?, nil:
      return try transactions.begin(
        .readWrite, concurrency: switches(database.project).transactions, in: database,
        at: transactionTime(of: database))
    }
  }

  private static func time(of transaction: OpenTransaction) -> Int64? {
    if case .readOnly(let time) = transaction.mode { time } else { nil }
  }

  /// Runs a read in one transaction of the store, for an answer that tells no time: to find out the
  /// present one takes a statement.
  func readWithoutTime<Result>(
    _ reading: Reading, body: (Snapshot) throws(APIError) -> Result
  ) throws(APIError) -> Result {
    guard reading.time == nil else { return try read(reading, body: body).result }
    return try read { documents throws(APIError) in try body(Snapshot(documents)) }
  }

  /// Runs a read in one transaction of the store, and tells the time that it is of.
  func read<Result>(
    _ reading: Reading, body: (Snapshot) throws(APIError) -> Result
  ) throws(APIError) -> (result: Result, time: Int64) {
    do throws(APIError) {
      return try read { documents throws(APIError) in
        let now = try readTime(documents, of: reading.database)
        guard let time = reading.time else { return (try body(Snapshot(documents)), now) }
        guard time <= now else { throw ReadTime.inFuture }
        let snapshot = try Snapshot(documents, of: reading.database, at: time, log: log)
        return (try body(snapshot), time)
      }
    } catch {
      guard error == ReadTime.tooOld else { throw error }
      throw unknownPast(at: reading.time ?? 0, in: reading.database)
    }
  }

  /// The project's time where production's limits of transactions hold.
  func transactionTime(of database: DatabaseName) -> Int64? {
    switches(database.project).limits == .production ? now(of: database) : nil
  }
}

extension TransactionOptions {
  fileprivate var onlyReads: Bool { if case .readOnly? = mode { true } else { false } }

  /// A read that begins a transaction begins one that only reads, unless it says otherwise.
  fileprivate var ofRead: TransactionOptions {
    guard mode == nil else { return self }
    var options = self
    options.readOnly = .init()
    return options
  }
}
