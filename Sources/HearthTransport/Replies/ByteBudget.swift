import Synchronization

/// How many bytes something may hold at once, over all connections.
///
/// It refuses and never waits, so that an event loop may ask it. `LargeAnswers` is where an answer
/// waits for room. It may be called on any thread, and takes no lock.
package final class ByteBudget: Sendable {
  /// Of large requests that are being read or answered (record 0028).
  package static let requests = ByteBudget(256 << 20)

  private let most: Int
  private let held = Atomic<Int>(0)

  /// - Parameter most: what may be held in total, in bytes or whatever is counted.
  package init(_ most: Int) { self.most = most }

  /// Bytes that are held until the last reference to it goes. A class, so that no way out of a
  /// request can forget to give them back.
  package final class Reservation: Sendable {
    private let bytes: Int
    private let budget: ByteBudget

    fileprivate init(_ bytes: Int, budget: ByteBudget) {
      self.bytes = bytes
      self.budget = budget
    }

    deinit { budget.held.subtract(bytes, ordering: .relaxed) }
  }

  /// Whether more than three quarters are held.
  package var isNearlySpent: Bool { held.load(ordering: .relaxed) > most / 4 * 3 }

  /// Takes part of the budget; nil when too much is held already.
  package func reserve(_ bytes: Int) -> Reservation? {
    // Added first and taken back where it is too much, so that two threads cannot both get the last
    // room. One of them may be refused for an instant although it would fit.
    guard held.add(bytes, ordering: .relaxed).newValue <= most else {
      held.subtract(bytes, ordering: .relaxed)
      return nil
    }
    return Reservation(bytes, budget: self)
  }
}
