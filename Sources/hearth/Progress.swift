/// Tells somebody at a terminal that long work is still running.
enum Progress {
  /// Does the work, and prints a line every two seconds until it ends. Only for people: what a
  /// script reads must not depend on how busy the machine is.
  static func show<Value: Sendable>(
    _ words: String, work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard StandardError.isTerminal else { return try await work() }
    let start = ContinuousClock.now
    let lines = Task {
      while true {
        try await Task.sleep(for: .seconds(2))
        let seconds = (ContinuousClock.now - start).components.seconds
        StandardError.say("\(words) … \(seconds) s")
      }
    }
    defer { lines.cancel() }
    return try await work()
  }
}
