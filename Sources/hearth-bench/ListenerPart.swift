import HearthFirestoreProtos
import Synchronization

/// Many listeners: how long a write takes to reach all of them, and what a commit costs beside them.
enum ListenerPart {
  private static let connections = 10
  private static let streamsPerConnection = 100
  private static var count: Int { connections * streamsPerConnection }

  static func measure(_ start: Server.Start) async throws -> [Row] {
    [try await measureReach(start), try await measureCommit(start)]
  }

  /// All listeners listen to one document.
  private static func measureReach(_ start: Server.Start) async throws -> Row {
    let server = try await start()
    defer { server.stop() }
    let arrivals = Arrivals(expected: count)
    try await write(0, to: ["listened"], of: server)
    let reached = try await listening(at: server.port, to: { _ in "listened" }, arrivals) {
      try await arrivals.all(of: 0)
      return try await times(30) { number in
        try await write(number, to: ["listened"], of: server)
        try await arrivals.all(of: number)
      }
    }
    return Row("a write reaches \(count) listeners", unit: "ms", value: reached.median, less: true)
  }

  /// Each listener listens to a document of its own; a commit changes half of them.
  private static func measureCommit(_ start: Server.Start) async throws -> Row {
    let server = try await start()
    defer { server.stop() }
    let halves = [0..<count / 2, count / 2..<count].map { $0.map { "own\($0)" } }
    for half in halves { try await write(0, to: half, of: server) }
    let arrivals = Arrivals(expected: count)
    let times = try await listening(at: server.port, to: { "own\($0)" }, arrivals) {
      try await arrivals.all(of: 0)
      var times: [Double] = []
      for number in 1...15 {
        for half in halves {
          let started = ContinuousClock.now
          try await write(number, to: half, of: server)
          times.append(started.millisecondsAgo)
        }
        try await arrivals.all(of: number)
      }
      return times
    }
    return Row(
      "commit of \(count / 2) documents that \(count) listeners listen to", unit: "ms",
      value: times.median, bar: 100, peer: 80, less: true)
  }

  private static func times(
    _ count: Int, _ body: (Int) async throws -> Void
  ) async throws -> [Double] {
    var times: [Double] = []
    for number in 1...count {
      let started = ContinuousClock.now
      try await body(number)
      times.append(started.millisecondsAgo)
    }
    return times
  }

  private static func write(_ number: Int, to documents: [String], of server: Server) async throws {
    let writes = documents.map { document in
      """
      {"update":{"name":"\(Server.documents)/bench/\(document)",\
      "fields":{"n":{"integerValue":"\(number)"}}}}
      """
    }
    try await Client.post(
      server.documents(":commit"), body: #"{"writes":[\#(writes.joined(separator: ","))]}"#)
  }

  /// Runs the body while all listeners listen, each to the document of its number.
  private static func listening<Value: Sendable>(
    at port: Int, to document: @escaping @Sendable (Int) -> String, _ arrivals: Arrivals,
    body: () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<connections {
        group.addTask {
          do {
            let first = index * streamsPerConnection
            try await listen(
              at: port, to: (first..<first + streamsPerConnection).map(document), arrivals)
          } catch {
            arrivals.fail(error)
          }
        }
      }
      defer { group.cancelAll() }
      return try await body()
    }
  }

  /// One connection with all its streams.
  private static func listen(
    at port: Int, to documents: [String], _ arrivals: Arrivals
  ) async throws {
    let connection = try await ListenConnection(port: port)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for document in documents {
        group.addTask {
          try await connection.listen(to: "bench/\(document)") { shown in
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
