import Synchronization

/// How many bytes something may hold at once, over all connections. It refuses and never waits, so that
/// an event loop may ask it; `LargeAnswers` is where an answer waits for room.
final class ByteBudget: Sendable {
  /// Of large requests that are being read or answered.
  static let requests = ByteBudget(256 << 20)

  private let most: Int
  private let held = Atomic<Int>(0)

  init(_ most: Int) { self.most = most }

  /// Bytes that are held, until it is let go.
  final class Reservation: Sendable {
    private let bytes: Int
    private let budget: ByteBudget

    fileprivate init(_ bytes: Int, _ budget: ByteBudget) {
      self.bytes = bytes
      self.budget = budget
    }

    deinit { budget.held.subtract(bytes, ordering: .relaxed) }
  }

  /// Nil when too much is held already.
  func reserve(_ bytes: Int) -> Reservation? {
    guard held.add(bytes, ordering: .relaxed).newValue <= most else {
      held.subtract(bytes, ordering: .relaxed)
      return nil
    }
    return Reservation(bytes, self)
  }
}
