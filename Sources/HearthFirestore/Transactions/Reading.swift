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
  /// In microseconds; nil to read what is there.
  let time: Int64?

  /// The transaction, where what it reads may not change before it ends.
  var readWrite: OpenTransaction? { transaction?.mode == .readWrite ? transaction : nil }
}
