import ArgumentParser
import Foundation

/// A mixed load for minutes: accounts, mails, documents and listeners come and go, and memory should
/// stay as it is.
enum SoakPart {
  /// `90s` or `10m`.
  struct Length: ExpressibleByArgument {
    let seconds: Int

    init?(argument: String) {
      let factors: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
      guard let factor = argument.last.flatMap({ factors[$0] }),
        let number = Int(argument.dropLast()), number > 0
      else { return nil }
      seconds = number * factor
    }
  }

  private static let workers = 4
  private static let listeners = 20

  static func measure(_ binary: String, length: Length) async throws -> Report {
    let server = try await Server(binary)
    defer { server.stop() }
    let end = ContinuousClock.now + .seconds(length.seconds)
    let (middle, last, rounds) = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<workers {
        group.addTask { try await work(worker, server: server, until: end) }
      }
      let background = Task { try await listen(at: server.port) }
      defer { background.cancel() }
      try await Task.sleep(for: .seconds(length.seconds) / 2)
      let middle = server.residentMegabytes()
      var rounds = 0
      for try await more in group { rounds += more }
      return (middle, server.residentMegabytes(), rounds)
    }
    var report = Report()
    report.rows = [
      Row(
        "soak of \(length.seconds) s: memory in the middle", unit: "MB", value: middle, less: true),
      Row("memory at the end", unit: "MB", value: last, less: true),
      Row("memory: end to middle", from: middle, to: last, bar: 1.1),
    ]
    report.notes = ["soak: \(rounds) rounds by \(workers) workers"]
    return report
  }

  /// - Returns: how many rounds there were.
  private static func work(
    _ worker: Int, server: Server, until end: ContinuousClock.Instant
  ) async throws -> Int {
    var round = 0
    while ContinuousClock.now < end {
      round += 1
      try await useAccount("w\(worker)-\(round)@example.com", server: server)
      try await useDocuments(worker, round: round, server: server)
      guard round % 100 == 0, worker == 0 else { continue }
      try await server.clearDocuments()
      try await Client.send("DELETE", url: server.project("/accounts"))
      try await Client.send("DELETE", url: server.project("/messages"))
    }
    return round
  }

  private static func useAccount(_ email: String, server: Server) async throws {
    try await Client.post(
      server.accounts("signUp"), body: #"{"email":"\#(email)","password":"secret1"}"#)
    // Another worker may have cleared it away.
    _ = try? await Client.post(
      server.accounts("sendOobCode"), body: #"{"requestType":"PASSWORD_RESET","email":"\#(email)"}"#
    )
    _ = try? await Client.post(
      server.accounts("signInWithPassword"), body: #"{"email":"\#(email)","password":"secret1"}"#)
    try await Client.send("GET", url: server.project("/messages?to=\(email)"))
  }

  private static func useDocuments(_ worker: Int, round: Int, server: Server) async throws {
    let text = String(repeating: "x", count: round % 20 == 0 ? 200_000 : 1000)
    let writes = (0..<3).map { number in
      """
      {"update":{"name":"\(Server.documents)/soak\(worker)/d\(round)-\(number)","fields":{\
      "n":{"integerValue":"\(number)"},"text":{"stringValue":"\(text)"}}}}
      """
    }
    let counter =
      #"{"update":{"name":"\#(Server.documents)/soak/counter","#
      + #""fields":{"n":{"integerValue":"\#(round)"}}}}"#
    try await Client.post(
      server.documents(":commit"),
      body: #"{"writes":[\#((writes + [counter]).joined(separator: ","))]}"#)
    try await Client.post(
      server.documents(":runQuery"),
      body: #"{"structuredQuery":{"from":[{"collectionId":"soak\#(worker)"}],"limit":20}}"#)
    try await Client.send("DELETE", url: server.documents("/soak\(worker)/d\(round)-0"))
  }

  /// Listeners that stay, until the task is cancelled.
  private static func listen(at port: Int) async throws {
    let connection = try await ListenConnection(port: port)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<listeners {
        group.addTask { try await connection.listen(to: "soak/counter") { _ in } }
      }
      try await group.waitForAll()
    }
  }
}
