/// Those who wait for a lock, found by what they wait for. It owns one continuation for each
/// waiter. To wake one only has it look again: who finds a lock free is decided under the lock of
/// ``Transactions``, which all of this is part of.
struct LockWaiters {
  struct Waiter {
    /// The number of the transaction; nil for a plain write.
    let id: UInt64?
    let wish: LockWish
    /// Holds one element, so that a wake-up before the waiter listens is kept.
    let signal: AsyncStream<Void>.Continuation
  }

  private var last = 0
  private var waiters: [Int: Waiter] = [:]
  private var byLockable: [Lockable: Set<Int>] = [:]
  private var byTransaction: [UInt64: Set<Int>] = [:]

  mutating func add(_ waiter: Waiter) -> Int {
    last += 1
    waiters[last] = waiter
    for lockable in waiter.wish.lockables { byLockable[lockable, default: []].insert(last) }
    if let id = waiter.id { byTransaction[id, default: []].insert(last) }
    return last
  }

  mutating func remove(_ number: Int) {
    guard let waiter = waiters.removeValue(forKey: number) else { return }
    for lockable in waiter.wish.lockables {
      byLockable[lockable]?.remove(number)
      if byLockable[lockable]?.isEmpty == true { byLockable[lockable] = nil }
    }
    guard let id = waiter.id else { return }
    byTransaction[id]?.remove(number)
    if byTransaction[id]?.isEmpty == true { byTransaction[id] = nil }
  }

  func wake(_ number: Int) { waiters[number]?.signal.yield() }

  /// Those who have waited for longest first.
  func wake(for lockable: Lockable) {
    for number in (byLockable[lockable] ?? []).sorted() { wake(number) }
  }

  func wake(ofTransaction id: UInt64) {
    for number in byTransaction[id] ?? [] { wake(number) }
  }

  /// Whether some of the transactions wait, perhaps over others, for that one. To wait for them
  /// would never end then.
  func isWaited(for id: UInt64, by transactions: [UInt64], _ locks: Locks) -> Bool {
    var seen: Set<UInt64> = []
    var rest = transactions
    while let next = rest.popLast() {
      if next == id { return true }
      guard seen.insert(next).inserted else { continue }
      for number in byTransaction[next] ?? [] {
        guard let wish = waiters[number]?.wish else { continue }
        rest += locks.blockers(of: wish, except: next)
      }
    }
    return false
  }
}
