import Synchronization

/// Sees when commits have freed much of a database in memory. The store asks it with the connection
/// locked; the lock of its own is for the compiler.
final class FreePageWatch: Sendable {
  /// A page is looked at in the file's head, so it takes one statement in so many commits.
  private static let interval = 64
  /// The system gets the memory of free pages when so many bytes have been freed since the last time.
  private static let most: Int64 = 64 << 20

  private struct State {
    var commits = 0
    /// What was free when the system got it the last time.
    var released: Int64 = 0
  }

  private let state = Mutex(State())

  /// Called after each commit.
  func afterCommit(on connection: Connection) throws(DatabaseError) {
    let isDue = state.withLock { state in
      state.commits += 1
      return state.commits.isMultiple(of: Self.interval)
    }
    guard isDue else { return }
    let free = try MemoryFile.free(in: connection)
    let isMuch = state.withLock { state in
      // Pages that were taken up again are in memory again.
      state.released = min(state.released, free)
      guard free - state.released >= Self.most else { return false }
      state.released = free
      return true
    }
    if isMuch { try FreePages.release(of: connection) }
  }
}
