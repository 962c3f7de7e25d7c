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

/// At which time, and in which transaction, a request reads.
enum ReadSelector {
  case now
  case transaction(Data)
  case newTransaction(TransactionOptions)
  case time(ProtoTimestamp)
}

/// A read that has begun.
struct Reading: Sendable {
  let database: DatabaseName
  let transaction: OpenTransaction?
  /// The transaction's id where the request asked for a new one.
  let newTransaction: Data?
  /// Nil to read what is there.
  let time: Int64?

  /// The transaction, where what it reads may not change before it ends.
  var readWrite: OpenTransaction? { transaction?.mode == .readWrite ? transaction : nil }
}

/// What is said of times of the past that cannot be read.
enum ReadTime {
  static let tooOld = APIError(
    .failedPrecondition, message: "The requested 'read_time' is too old.")
  static let inFuture = APIError.invalid("The requested 'read_time' cannot be in the future.")

  static let endOfTime: Int64 = 253_402_300_799

  static func microseconds(_ time: ProtoTimestamp) throws(APIError) -> Int64 {
    guard time.seconds > 0 || time.seconds == 0 && time.nanos > 0 else {
      throw .invalid("Only timestamps past epoch are supported.")
    }
    guard time.nanos % 1000 == 0 else {
      throw .invalid("timestamp cannot have more than microseconds precision")
    }
    guard time.seconds <= endOfTime else { throw inFuture }
    return time.microseconds
  }
}

extension Firestore {
  func begin(_ selector: ReadSelector, in database: DatabaseName) throws(APIError) -> Reading {
    switch selector {
    case .now: return Reading(database: database, transaction: nil, newTransaction: nil, time: nil)
    case .transaction(let id):
      let transaction = try transactions.transaction(id, in: database)
      return Reading(
        database: database, transaction: transaction, newTransaction: nil,
        time: Self.time(of: transaction))
    case .newTransaction(let options):
      let transaction = try open(options, in: database)
      return Reading(
        database: database, transaction: transaction, newTransaction: transaction.id,
        time: Self.time(of: transaction))
    case .time(let time):
      return Reading(
        database: database, transaction: nil, newTransaction: nil,
        time: try ReadTime.microseconds(time))
    }
  }

  /// A read-only transaction without a time reads at the time of its beginning.
  func open(
    _ options: TransactionOptions, in database: DatabaseName
  ) throws(APIError) -> OpenTransaction {
    switch options.mode {
    case .readOnly(let readOnly)?:
      let now = try read { documents throws(APIError) in try readTime(documents, of: database) }
      var time = now
      if case .readTime(let wanted)? = readOnly.consistencySelector {
        time = try ReadTime.microseconds(wanted)
        guard time <= now else { throw ReadTime.inFuture }
        guard log.reachesBack(to: time, of: database) else { throw ReadTime.tooOld }
      }
      return try transactions.begin(.readOnly(at: time), .optimistic, in: database)
    case .readWrite(let readWrite)? where !readWrite.retryTransaction.isEmpty:
      try transactions.check(readWrite.retryTransaction)
      return try transactions.begin(
        .readWrite, switches(database.project).transactions, isRetry: true, in: database)
    case .readWrite?, nil:
      return try transactions.begin(
        .readWrite, switches(database.project).transactions, in: database)
    }
  }

  private static func time(of transaction: OpenTransaction) -> Int64? {
    if case .readOnly(let time) = transaction.mode { time } else { nil }
  }

  /// Runs a read in one transaction of the store, and tells the time that it is of.
  func read<Result>(
    _ reading: Reading, _ body: (Snapshot) throws(APIError) -> Result
  ) throws(APIError) -> (result: Result, time: Int64) {
    try read { documents throws(APIError) in
      let now = try readTime(documents, of: reading.database)
      guard let time = reading.time else { return (try body(Snapshot(documents)), now) }
      guard time <= now else { throw ReadTime.inFuture }
      let snapshot = try Snapshot(documents, of: reading.database, at: time, log)
      return (try body(snapshot), time)
    }
  }
}
