import HearthErrors
import HearthFirestore
import HearthIdentityToolkit
import HearthMailbox
import HearthSQLite
import HearthTime
import HearthWire

/// What a project was at any moment, in a project of its own.
///
/// The log of commits has each version of each document. Everything else is known at snapshots and
/// now: the first of these after the moment is taken, without what was made later.
extension ProjectSnapshots {
  /// What a moment is rebuilt from: a snapshot, or what the project holds now.
  struct Base: Sendable {
    fileprivate let entry: Snapshots.Entry?
    fileprivate let end: Int64?

    /// What differs from what was there, in words for people.
    var notRebuilt: [JSON] {
      let state = entry.map { "in the snapshot \($0.name)" } ?? "now"
      return [
        .string(
          "Users and mails that were changed or deleted after this moment are as they are \(state), "
            + "and so are clock, faults, rules and settings.")
      ]
    }

    var json: JSON? { entry.map { .string($0.name) } }
  }

  private static let refusal = APIError(
    .failedPrecondition,
    detail: "this moment cannot be rebuilt: it is before a restore, a clear or an import, or the "
      + "commits since then are forgotten")

  /// What a moment would be rebuilt from.
  func base(of moment: PastMoment, project: String) throws(APIError) -> Base {
    try store.transaction { transaction throws(APIError) in
      try base(of: moment, project: project, in: transaction)
    }
  }

  private func base(
    of moment: PastMoment, project: String, in transaction: Transaction
  ) throws(APIError) -> Base {
    guard
      let base = base(
        of: moment, project: project,
        among: try Self.snapshots(transaction).entries(of: project))
    else { throw Self.refusal }
    return base
  }

  private func base(
    of moment: PastMoment, project: String, among entries: [Snapshots.Entry]
  ) -> Base? {
    let next = entries.filter { $0.createdAt * 1000 >= moment.arrival }
      .min { $0.createdAt < $1.createdAt }
    let base = Base(entry: next, end: next.map { $0.createdAt * 1000 })
    guard !moment.isBeforeRestore(until: base.end),
      firestore.reaches(moment.arrival, of: project, until: base.end)
    else { return nil }
    return base
  }

  /// Makes a project of a moment of another one. Without a name it gets one.
  func rewind(
    _ project: String, to wanted: String?, moment: PastMoment
  ) throws(APIError) -> (project: String, base: Base) {
    try store.transaction { transaction throws(APIError) in
      let base = try base(of: moment, project: project, in: transaction)
      let known = try Schema.projectIds(in: transaction)
      let other = wanted ?? Self.name(of: project, besides: Set(known))
      guard other != project, !known.contains(other) else {
        throw APIError(.alreadyExists, detail: "project \(other) already exists")
      }
      let time = try firestore.restoreTime(of: project, in: transaction)
      guard
        let past = firestore.pastDocuments(of: project, at: moment.arrival, until: base.end)
      else { throw Self.refusal }
      let snapshots = Self.snapshots(transaction)
      if let entry = base.entry {
        try snapshots.fork(entry, to: other, stamp: time)
      } else {
        try snapshots.fork(project, to: other, stamp: time)
      }
      try firestore.put(past, into: other, at: time, in: transaction)
      try AccountsSchema.forget(after: moment.time, of: other, in: transaction)
      try Message.forget(after: moment.time, of: other, in: transaction)
      let memory = base.entry?.memory ?? memory(of: project)
      let restored = try finishFork(
        of: project, to: other, memory: memory, time: time, in: transaction)
      return (other, base, restored)
    } committed: { other, base, restored in
      conclude(restored, project: other, keepsClock: false)
      return (other, base)
    }
  }

  private func memory(of project: String) -> String {
    MemoryState(of: project, server: server, faults: faults, firestore: firestore, fence: 0).json
      .text
  }

  /// `demo-x-rewind`, or with the first number that is free.
  private static func name(of project: String, besides known: Set<String>) -> String {
    let name = project.prefix(100) + "-rewind"
    var number = 1
    while known.contains(number == 1 ? String(name) : "\(name)-\(number)") { number += 1 }
    return number == 1 ? String(name) : "\(name)-\(number)"
  }

  /// Which of these moments can be rebuilt.
  func canRebuild(_ moments: [PastMoment], of project: String) throws(APIError) -> [Bool] {
    let entries = try store.transaction { transaction throws(APIError) in
      try Self.snapshots(transaction).entries(of: project)
    }
    return moments.map { base(of: $0, project: project, among: entries) != nil }
  }
}
