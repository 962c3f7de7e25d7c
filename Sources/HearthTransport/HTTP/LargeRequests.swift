import Synchronization

/// Large requests that are being unpacked, read and answered. What a body is unpacked and read into
/// takes many times its size, so only a few are let in; the others wait, the first one first.
///
/// It owns the line of those that wait, and may be called on any thread. One that waits holds no
/// thread. Tasks are resumed outside of the lock. Record 0028.
final class LargeRequests: Sendable {
  static let shared = LargeRequests()

  private struct State {
    var bytes = 0
    /// In the order in which they came; the places of `WorkPool` bound their number.
    var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let most: Int
  private let state = Mutex(State())

  /// - Parameter most: the bytes of all bodies together. One that is larger comes alone.
  init(most: Int = 24 << 20) { self.most = most }

  /// How many wait.
  var waiting: Int { state.withLock(\.waiting.count) }

  /// The room that a request takes up. It is given back with the last reference to it.
  final class Room: Sendable {
    private let bytes: Int
    private let requests: LargeRequests

    fileprivate init(_ bytes: Int, requests: LargeRequests) {
      self.bytes = bytes
      self.requests = requests
    }

    deinit { requests.give(back: bytes) }
  }

  /// Returns when there is room for a body of that size.
  func room(for bytes: Int) async -> Room {
    let bytes = min(bytes, most)
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        // A small one does not pass those that wait: a large one might never find room.
        guard state.waiting.isEmpty, state.bytes + bytes <= most else {
          state.waiting.append((bytes, continuation))
          return false
        }
        state.bytes += bytes
        return true
      }
      if goesOn { continuation.resume() }
    }
    return Room(bytes, requests: self)
  }

  private func give(back bytes: Int) {
    let next = state.withLock { state in
      state.bytes -= bytes
      var next: [CheckedContinuation<Void, Never>] = []
      while let first = state.waiting.first, state.bytes + first.bytes <= most {
        // Accounted for here, and not when the task runs: another request might come in between.
        state.bytes += first.bytes
        next.append(first.continuation)
        state.waiting.removeFirst()
      }
      return next
    }
    for continuation in next { continuation.resume() }
  }
}
