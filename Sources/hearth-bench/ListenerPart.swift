import HearthFirestoreProtos
import Synchronization

/// Many listeners on one document: how long a write takes to reach all of them.
enum ListenerPart {
  private static let connections = 10
  private static let streamsPerConnection = 100
  private static let writes = 30
  private static let document = "bench/listened"

  static func measure(_ start: Server.Start) async throws -> Row {
    let server = try await start()
    defer { server.stop() }
    let count = connections * streamsPerConnection
    let arrivals = Arrivals(expected: count)
    try await write(0, to: server)
    let times = try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<connections {
        group.addTask {
          do {
            try await listen(at: server.port, arrivals)
          } catch {
            arrivals.fail(error)
          }
        }
      }
      defer { group.cancelAll() }
      try await arrivals.all(of: 0)
      var times: [Double] = []
      for number in 1...writes {
        let started = ContinuousClock.now
        try await write(number, to: server)
        try await arrivals.all(of: number)
        times.append(started.millisecondsAgo)
      }
      return times
    }
    return Row("a write reaches \(count) listeners", unit: "ms", value: times.median, less: true)
  }

  private static func write(_ number: Int, to server: Server) async throws {
    try await Client.post(
      server.documents(":commit"),
      body: """
        {"writes":[{"update":{"name":"\(Server.documents)/\(document)",\
        "fields":{"n":{"integerValue":"\(number)"}}}}]}
        """)
  }

  /// One connection with all its streams.
  private static func listen(at port: Int, _ arrivals: Arrivals) async throws {
    let connection = try await ListenConnection(port: port)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<streamsPerConnection {
        group.addTask {
          try await connection.listen(to: document) { shown in
            arrivals.note(Int(shown.fields["n"]?.integerValue ?? -1))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Who has seen what.
private final class Arrivals: Sendable {
  private struct State {
    var counts: [Int: Int] = [:]
    var failure: (any Error)?
    var waiting: (number: Int, continuation: CheckedContinuation<Void, any Error>)?
  }

  private let expected: Int
  private let state = Mutex(State())

  init(expected: Int) { self.expected = expected }

  func note(_ number: Int) {
    state.withLock { state in
      state.counts[number, default: 0] += 1
      settle(&state)
    }
  }

  func fail(_ error: any Error) {
    state.withLock { state in
      state.failure = state.failure ?? error
      settle(&state)
    }
  }

  /// Returns when every listener has seen that value.
  func all(of number: Int) async throws {
    try await withCheckedThrowingContinuation { continuation in
      state.withLock { state in
        state.waiting = (number, continuation)
        settle(&state)
      }
    }
  }

  private func settle(_ state: inout State) {
    guard let waiting = state.waiting else { return }
    if let failure = state.failure {
      waiting.continuation.resume(throwing: failure)
    } else if state.counts[waiting.number, default: 0] >= expected {
      waiting.continuation.resume()
    } else {
      return
    }
    state.waiting = nil
  }
}
