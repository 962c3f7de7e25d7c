import ArgumentParser
import Foundation

/// What a query with a limit costs when the collection grows.
struct QueryPart: ParsableArguments {
  @Option(help: "Documents of the large collection; the small one has 2000.")
  var documents = 200_000

  func measure(_ binary: String) async throws -> Report {
    var report = try await measureGrowth(binary)
    // The servers before have ended: these have the same ports.
    try await measureIndexes(binary, into: &report)
    return report
  }

  private func measureGrowth(_ binary: String) async throws -> Report {
    let sizes = [2000, documents]
    // Each collection has a server of its own, so that the small one has a small database.
    let servers = try await Server.several(sizes.count, binary: binary)
    defer { for server in servers { server.stop() } }
    for (server, size) in zip(servers, sizes) {
      try await SampleDocuments.fill(server, count: size)
    }

    var report = Report()
    for (small, large) in zip(Self.samples(sizes[0]), Self.samples(sizes[1])) {
      let loads = zip(servers, [small, large]).map { server, sample in
        Wrk.Load(
          url: server.documents(":runQuery"), script: Wrk.posting(sample.body, pick: sample.pick))
      }
      for (server, sample) in zip(servers, [small, large]) {
        let body = sample.body.replacing("PICK", with: "1")
        try await SampleDocuments.expect(Self.limit, from: server, query: body)
      }
      let medians = try Wrk.medians(loads, rounds: 3)
      report.rows.append(
        Row(
          "query: \(small.name); \(sizes[1]) to \(sizes[0]) documents", from: medians[0],
          to: medians[1], bar: 3))
      let times = zip(sizes, medians).map { "\($1.asTime) of \($0) documents" }
      report.notes.append("query: \(small.name): " + times.joined(separator: ", "))
    }
    return report
  }

  /// What it costs to plan a query, which is not done while the switch is off.
  private func measureIndexes(_ binary: String, into report: inout Report) async throws {
    let modes = ["off", "enforce"]
    var servers: [Server] = []
    defer { for server in servers { server.stop() } }
    for (index, mode) in modes.enumerated() {
      servers.append(try await Server(binary, flags: ["--indexes", mode], port: 19_099 - index))
      try await SampleDocuments.fill(servers[index], count: 2000)
    }
    let sample = Self.samples(2000)[0]
    let loads = servers.map { server in
      Wrk.Load(
        url: server.documents(":runQuery"), script: Wrk.posting(sample.body, pick: sample.pick))
    }
    let medians = try Wrk.medians(loads, rounds: 3)
    report.rows.append(
      Row("query: indexes enforced to not checked", from: medians[0], to: medians[1], bar: 1.05))
    let times = zip(modes, medians).map { "\($1.asTime) with indexes \($0)" }
    report.notes.append("query: \(sample.name): " + times.joined(separator: ", "))
  }

  private static let limit = 10

  /// A query; in Lua, what stands for PICK in it.
  private struct Sample {
    let name: String
    let body: String
    let pick: String

    init(_ name: String, members: String, pick: String = "''") {
      self.name = "\(name), limit \(limit)"
      body = SampleDocuments.query(#"\#(members),"limit":\#(limit)"#)
      self.pick = pick
    }
  }

  /// The queries to a collection of that size.
  private static func samples(_ size: Int) -> [Sample] {
    [
      Sample(
        "equality filter",
        members: filter("group", comparison: "EQUAL", value: #"{"stringValue":"gPICK"}"#),
        pick: "math.random(0, 99)"),
      Sample(
        "range filter",
        members: filter(
          "n", comparison: "GREATER_THAN_OR_EQUAL", value: #"{"integerValue":"PICK"}"#),
        pick: "math.random(0, \(size - limit))"),
      Sample(
        "order by", members: #""orderBy":[{"field":{"fieldPath":"n"},"direction":"ASCENDING"}]"#),
    ]
  }

  private static func filter(_ field: String, comparison: String, value: String) -> String {
    """
    "where":{"fieldFilter":{"field":{"fieldPath":"\(field)"},"op":"\(comparison)",\
    "value":\(value)}}
    """
  }
}
