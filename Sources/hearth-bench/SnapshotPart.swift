import ArgumentParser
import Foundation

/// How quickly a test gets its state back: from a snapshot, or by clearing and seeding again.
struct SnapshotPart: ParsableArguments {
  @Option(help: "Documents of the project that is restored; it has 1000 users.")
  var snapshotDocuments = 10_000

  func measure(_ binary: String) async throws -> Report {
    let server = try await Server(binary)
    defer { server.stop() }
    let count = snapshotDocuments
    func seed() async throws {
      try await SampleDocuments.fill(server, count: count)
      _ = try await SampleAccounts.fill(server, count: SampleAccounts.batch)
    }
    func clear() async throws {
      try await server.clearDocuments()
      try await Client.send("DELETE", url: server.project("/accounts"))
    }
    try await seed()
    try await Client.post(server.project("/snapshots"), body: #"{"name":"seeded"}"#)
    let changes: [(name: String, bar: Double, change: () async throws -> Void)] = [
      ("nothing", 30, {}), ("everything cleared", 30, clear),
      ("1000 documents written", 30, { try await SampleDocuments.fill(server, count: 1000) }),
    ]
    var report = Report()
    for (name, bar, change) in changes {
      var times: [Double] = []
      for _ in 0..<7 {
        try await change()
        times.append(
          try await Client.time(server.project("/snapshots/seeded:restore"), body: "{}"))
      }
      try await SampleDocuments.expect(
        count, from: server, query: SampleDocuments.query(#""limit":\#(count)"#))
      report.rows.append(
        Row("restore; \(name)", unit: "ms", value: times.median, bar: bar, less: true))
    }
    var forks: [Double] = []
    for index in 0..<7 {
      forks.append(
        try await Client.time(
          server.project("/snapshots/seeded:fork"), body: #"{"to":"demo-fork-\#(index)"}"#))
    }
    report.rows.append(Row("fork", unit: "ms", value: forks.median, bar: 60, less: true))
    let started = ContinuousClock.now
    try await clear()
    try await seed()
    report.rows.append(
      Row("clear and seed again", unit: "ms", value: started.millisecondsAgo, less: true))
    return report
  }
}
