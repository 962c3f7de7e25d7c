import HearthFirestoreProtos
import HearthLimits
import HearthOperations
import HearthTime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a transaction has read, and may write.
///
/// A value: those who hold a copy see what was so when they got it. The copy that counts is in
/// ``Transactions``. What was read grows until the transaction ends; only versions are kept, not
/// documents.
struct OpenTransaction: Sendable {
  enum Mode: Sendable, Equatable {
    case readWrite
    /// In microseconds: all of its reads are of that time.
    case readOnly(at: Int64)
  }

  let number: UInt64
  /// What the client calls it.
  let id: Data
  let database: DatabaseName
  let mode: Mode
  /// That of its beginning, although the switch may have changed since.
  let concurrency: Switches.TransactionMode
  /// Whether its client has run it before, and it failed.
  let isRetry: Bool
  /// By the machine's clock.
  var lastUse: Timestamp
  /// When it began and was used last, in microseconds of the project's clock; nil where that clock
  /// does not count.
  var age: (began: Int64, lastUse: Int64)?
  /// Whether it has lost its locks, because the documents were cleared away under it or because one
  /// that is tried again goes before: it fails at its next use.
  var isLost = false
  /// The version of each document that was read; nil for one that was missing.
  var reads: [ResourcePath: Int64?] = [:]
  /// The queries that were run, with the names and versions of their results.
  var queries: [(query: Query, result: [ResourcePath: Int64])] = []

  /// When it is forgotten if nobody uses it.
  var expiry: Timestamp { lastUse + .seconds(Limit.idleTransaction.value) }

  /// Notes that it is used at that time of the project's clock.
  ///
  /// - Returns: false where it is too old for that.
  mutating func use(at time: Int64) -> Bool {
    guard let age else { return true }
    self.age = (age.began, time)
    return time - age.began < Int64(Limit.transactionTime.value) * 1_000_000
      && time - age.lastUse < Int64(Limit.idleTransaction.value) * 1_000_000
  }
}

/// Transactions by the time at which they may be forgotten, so that nobody has to look through all
/// of them. A transaction that was used since gets a new place when its old one is reached. Kept by
/// second: to begin and to end a transaction costs the same however many are open.
struct ExpiryQueue {
  private var seconds: [Int64: [UInt64]] = [:]
  private var first = Int64.max

  mutating func add(_ number: UInt64, at time: Timestamp) {
    seconds[time.seconds, default: []].append(number)
    first = min(first, time.seconds)
  }

  /// Takes out those whose second has begun.
  mutating func removeDue(_ now: Timestamp) -> [UInt64] {
    guard first <= now.seconds else { return [] }
    var due: [UInt64] = []
    for second in seconds.keys.filter({ $0 <= now.seconds }) {
      due += seconds.removeValue(forKey: second) ?? []
    }
    first = seconds.keys.min() ?? .max
    return due
  }
}
