/// What a transaction can lock.
enum Lockable: Hashable, Sendable {
  case document(ResourcePath)
  /// All collections of that id, wherever they are: what a query may find. Coarser than the query,
  /// and cheap to compare with a write.
  case collections(DatabaseName, id: String)
  case database(DatabaseName)
  /// The turn of one of those transactions that try again to read and write a document.
  case turn(ResourcePath)
}

/// What somebody wants to do, for which others may have to be waited for.
enum LockWish: Sendable {
  /// To read something that nobody else may write until the transaction ends.
  case share(Lockable)
  /// To have something for the transaction alone.
  case hold(Lockable)
  /// To write documents. Nothing is locked for it: a write is done at once when its turn comes.
  case write([ResourcePath])

  /// What the wish has to wait for when another transaction has locked it.
  var lockables: [Lockable] {
    switch self {
    case .share(let lockable), .hold(let lockable): [lockable]
    case .write(let paths):
      paths.flatMap { path in
        [
          .document(path), .collections(path.database, id: path.parent.id),
          .database(path.database),
        ]
      }
    }
  }
}

/// Who has locked what, by the numbers of transactions. A part of the state of ``Transactions``,
/// under its lock. It grows with what open transactions have read, and decides nothing about time.
struct Locks {
  private var shared: [Lockable: Set<UInt64>] = [:]
  private var exclusive: [Lockable: UInt64] = [:]
  /// The same by transaction: to end one costs what it holds, however many others there are.
  private var held: [UInt64: Set<Lockable>] = [:]

  var isEmpty: Bool { held.isEmpty }

  /// The transactions to wait for. One that shares waits for exclusive locks only; the others wait
  /// for all. What the transaction itself has locked does not count.
  func blockers(of wish: LockWish, except id: UInt64?) -> Set<UInt64> {
    var found: Set<UInt64> = []
    for lockable in wish.lockables {
      if let owner = exclusive[lockable] { found.insert(owner) }
      if case .share = wish { continue }
      if let readers = shared[lockable] { found.formUnion(readers) }
    }
    if let id { found.remove(id) }
    return found
  }

  mutating func grant(_ wish: LockWish, to id: UInt64) {
    switch wish {
    case .share(let lockable):
      shared[lockable, default: []].insert(id)
      held[id, default: []].insert(lockable)
    case .hold(let lockable):
      exclusive[lockable] = id
      held[id, default: []].insert(lockable)
    case .write: break
    }
  }

  /// - Returns: what is free now.
  mutating func release(_ id: UInt64) -> Set<Lockable> {
    guard let lockables = held.removeValue(forKey: id) else { return [] }
    for lockable in lockables {
      if exclusive[lockable] == id { exclusive[lockable] = nil }
      shared[lockable]?.remove(id)
      if shared[lockable]?.isEmpty == true { shared[lockable] = nil }
    }
    return lockables
  }
}
