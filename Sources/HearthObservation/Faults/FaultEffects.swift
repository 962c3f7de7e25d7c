package import HearthErrors
package import HearthTime
package import HearthTransport

/// How far a call gets with the faults that act on it.
package enum FaultVerdict {
  /// The call is made; its answer may still fail to arrive.
  case goesOn(DeliveryFault?)
  /// The connection ends, and nothing has happened.
  case isDropped
}

extension [Faults.Injection] {
  /// The rules that act, for the log; nil for none.
  package var words: String? { isEmpty ? nil : map(\.rule).joined(separator: ", ") }

  /// Takes the time that they take, and refuses as they refuse, in their order.
  package func endure(_ clock: any HearthClock) async throws(APIError) -> FaultVerdict {
    var delivery: DeliveryFault?
    for injection in self {
      switch injection.effect {
      case .wait(let duration): await clock.wait(until: clock.now + duration)
      case .refuse(let error): throw error
      case .drop(afterwards: false): return .isDropped
      case .drop(afterwards: true): delivery = .drop
      case .slow(let rate): delivery = delivery ?? .slow(bytesPerSecond: rate)
      }
    }
    return .goesOn(delivery)
  }
}
