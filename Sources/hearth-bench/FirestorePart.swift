import ArgumentParser
import Foundation

/// Documents over REST.
struct FirestorePart: ParsableArguments {
  @Option(help: "Documents to write before memory is looked at.")
  var writes = 50_000

  func measure(_ binary: String, seconds: Int) async throws -> Report {
    var report = Report()
    report.rows = try await rows({ try await Server(binary) }, seconds: seconds)
    if let official = Server.officialFirestore {
      let others = try await rows(official, seconds: seconds)
      for index in report.rows.indices { report.rows[index].peer = others[index].value }
    }
    return report
  }

  private func rows(_ start: Server.Start, seconds: Int) async throws -> [Row] {
    try await loads(start, seconds: seconds) + bulk(start) + ListenerPart.measure(start)
  }

  private func loads(_ start: Server.Start, seconds: Int) async throws -> [Row] {
    let server = try await start()
    defer { server.stop() }
    let count = 1000
    try await SampleDocuments.fill(server, count: count)
    let get = try Wrk.get(server.documents("/bench/d1"), seconds: seconds)
    let script = try Wrk.script(
      """
      wrk.headers['Content-Type'] = 'application/json'
      local place = '/v1/\(Server.documents)/bench/d'
      local n = 0
      function request()
        n = n + 1
        return wrk.format('PATCH', place .. math.random(0, \(count - 1)), nil,
          '{"fields":{"n":{"integerValue":"' .. n .. '"},"group":{"stringValue":"g1"},' ..
          '"name":{"stringValue":"A name"},"done":{"booleanValue":true},' ..
          '"share":{"doubleValue":0.5}}}')
      end
      """)
    let patch = try Wrk.run(
      script, url: server.documents(""), connections: 16, threads: 2, seconds: seconds)
    return try await [
      Row(
        "Firestore, REST get", unit: "/s", value: get.perSecond, bar: 15_000, peer: 2400,
        less: false,
        p99: get.p99),
      Row(
        "Firestore, REST patch", unit: "/s", value: patch.perSecond, bar: 8000, peer: 1800,
        less: false,
        p99: patch.p99),
    ] + toStaticFile(server, seconds: seconds)
  }

  /// The rate of reading a document, divided by that of nginx for a file of the same bytes. The two
  /// take turns, so that other work of the machine slows both. No row without nginx.
  private func toStaticFile(_ server: Server, seconds: Int) async throws -> [Row] {
    let document = server.documents("/bench/d1")
    guard let file = try StaticFile(try await Client.send("GET", url: document)) else { return [] }
    defer { file.stop() }
    var ratios: [Double] = []
    for _ in 0..<5 {
      let hearth = try Wrk.get(document, seconds: seconds)
      ratios.append(hearth.perSecond / (try Wrk.get(file.url, seconds: seconds).perSecond))
    }
    return [
      Row(
        "Firestore, REST get; to a file by nginx", unit: "×", value: ratios.median, bar: 0.35,
        less: false)
    ]
  }

  private func bulk(_ start: Server.Start) async throws -> [Row] {
    let server = try await start()
    defer { server.stop() }
    let commits = try await SampleDocuments.fill(server, count: writes)
    let memory = server.residentMegabytes()
    let wanted = min(writes, 10_000)
    let all = SampleDocuments.query(#""limit":\#(wanted)"#)
    try await SampleDocuments.expect(wanted, from: server, query: all)
    var queries: [Double] = []
    for _ in 0..<7 {
      queries.append(try await Client.time(server.documents(":runQuery"), body: all))
    }
    return [
      Row(
        "resident memory after \(writes) document writes", unit: "MB", value: memory, bar: 100,
        peer: 770,
        less: true),
      Row(
        "commit of \(SampleDocuments.batch) writes", unit: "ms", value: commits.median, less: true),
      Row("query returning \(wanted) documents", unit: "ms", value: queries.median, less: true),
    ]
  }
}
