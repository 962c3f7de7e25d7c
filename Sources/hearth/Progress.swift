/// Says on standard error that something which takes long goes on.
enum Progress {
  /// Does the work; from the second second on, a line every two seconds tells that it goes on.
  static func show<Value: Sendable>(
    _ words: String, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
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
