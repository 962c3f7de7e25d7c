import FirestoreProtos
import Foundation
import HearthCore
import SwiftProtobuf

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
  let newTransaction: Data
  /// Nil to read what is there.
  let time: Int64?

  var isReadWrite: Bool { transaction?.mode == .readWrite }
}

extension Firestore {
  func begin(_ selector: ReadSelector, in database: DatabaseName) throws(APIError) -> Reading {
    switch selector {
    case .now:
      return Reading(database: database, transaction: nil, newTransaction: Data(), time: nil)
    case .transaction(let id):
      let transaction = try transactions.transaction(id, in: database)
      return Reading(
        database: database, transaction: transaction, newTransaction: Data(),
        time: Self.time(of: transaction))
    case .newTransaction(let options):
      let transaction = try open(options, in: database)
      return Reading(
        database: database, transaction: transaction, newTransaction: Data(transaction.id),
        time: Self.time(of: transaction))
    case .time(let time):
      return Reading(
        database: database, transaction: nil, newTransaction: Data(), time: time.microseconds)
    }
  }

  /// A read-only transaction without a time reads at the time of its beginning.
  func open(
    _ options: TransactionOptions, in database: DatabaseName
  ) throws(APIError) -> OpenTransaction {
    var options = options
    if case .readOnly(let readOnly)? = options.mode, readOnly.consistencySelector == nil {
      let time = try read { documents throws(APIError) in try readTime(documents, of: database) }
      options.readOnly.readTime = ProtoTimestamp(microseconds: time)
    }
    return transactions.begin(options, in: database, random: random)
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
      guard time <= now else { throw .invalid("read_time cannot be in the future.") }
      let snapshot = try Snapshot(documents, of: reading.database, at: time, log)
      return (try body(snapshot), time)
    }
  }
}
