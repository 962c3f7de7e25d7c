import FirestoreProtos
import Foundation
package import HearthCore
package import HearthStore
import SwiftProtobuf
import Synchronization

/// Who calls, as rules see it.
package enum FirestoreCaller: Sendable {
  /// `Bearer owner`: rules do not apply.
  case owner
  case nobody
  /// The claims of an ID token.
  case user(JSONObject)

  package var isOwner: Bool { if case .owner = self { true } else { false } }
}

/// Firestore, without a transport: each RPC is a method that takes and returns its messages.
package final class Firestore: Sendable {
  let store: Store
  let clock: any HearthClock
  let log: CommitLog
  let transactions = Transactions()
  package let rules: RulesTable
  let random = Randomness()
  /// Changes with every start: a resume token of an earlier one is not understood.
  let instance: [UInt8]

  package init(store: Store, clock: any HearthClock, rules: RulesTable) throws(APIError) {
    self.store = store
    self.clock = clock
    self.rules = rules
    instance = random.bytes(8)
    let last = try store.transaction { transaction throws(APIError) in
      try Documents(transaction).lastCommitTime()
    }
    log = CommitLog(startingAfter: last)
  }

  /// Microseconds; the clock counts milliseconds.
  var now: Int64 { clock.now.milliseconds &* 1000 }

  func read<Result>(
    _ body: (Documents) throws(APIError) -> Result
  ) throws(APIError) -> Result {
    try store.transaction { transaction throws(APIError) in try body(Documents(transaction)) }
  }

  /// The latest time that a reader was given. Commits come later, even where the clock stands.
  private let lastReadTime = Mutex<Int64>(0)

  /// A time at which everything that was committed is seen, and nothing else.
  func readTime(_ documents: Documents) throws(APIError) -> Int64 {
    let time = max(try documents.lastCommitTime(), now)
    return lastReadTime.withLock { last in
      last = max(last, time)
      return last
    }
  }

  /// Drops all documents of a database; listeners hear of each.
  package func clear(_ database: DatabaseName) throws(APIError) {
    _ = try commit(in: database) { application throws(APIError) in
      let effects = try application.documents.everything(in: database).map {
        DocumentEffect(path: $0.path, before: $0, after: nil, kind: .delete)
      }
      try application.documents.clear(database)
      return ((), effects)
    }
  }

  /// Commits what the body does, at one time, and tells listeners.
  func commit<Result>(
    in database: DatabaseName,
    _ body: (WriteApplication) throws(APIError) -> (result: Result, effects: [DocumentEffect])
  ) throws(APIError) -> (result: Result, time: Int64) {
    try store.transaction { transaction throws(APIError) in
      let documents = Documents(transaction)
      let time = try documents.nextCommitTime(max(now, lastReadTime.withLock { $0 + 1 }))
      let application = WriteApplication(documents: documents, database: database, time: time)
      let (result, effects) = try body(application)
      return (result, time, effects.filter(\.isChange))
    } committed: { result, time, effects in
      if !effects.isEmpty { self.log.append(database, time: time, effects) }
      return (result, time)
    }
  }
}
