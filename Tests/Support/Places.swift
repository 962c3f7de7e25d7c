/// A number of places, which tasks take in the order in which they come.
///
/// Swift Testing starts all tests at once. Without a bound, hundreds of servers share the threads, and
/// what a client expects within seconds takes a minute on a busy machine.
package actor Places {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// A task that has a place takes no second one: the two could wait for each other.
  @TaskLocal private static var isTaken = false

  package init(_ count: Int) {
    free = count
  }

  /// Runs the body as soon as there is a place.
  package func take(_ body: @Sendable () async throws -> Void) async rethrows {
    if Self.isTaken { return try await body() }
    await enter()
    defer { leave() }
    try await Self.$isTaken.withValue(true) { try await body() }
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
