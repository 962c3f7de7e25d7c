import Foundation

/// Resident memory: idle, with many accounts, and where large documents come and go.
enum MemoryPart {
  private static let megabyte = String(repeating: "x", count: 1_000_000)

  static func measure(_ binary: String) async throws -> [Row] {
    try await withAccounts(binary) + [oneDocument(binary), manyDocuments(binary)]
  }

  private static func withAccounts(_ binary: String) async throws -> [Row] {
    let server = try await Server(binary)
    defer { server.stop() }
    let idle = server.residentMegabytes()
    var created = 0.0
    var round = 0
    while created < 10_000 {
      round += 1
      let script = try Wrk.script(
        """
        local n = 0
        function request()
          n = n + 1
          return wrk.format('POST', nil, {['Content-Type']='application/json'},
            '{"email":"m\(round)-' .. n .. '@example.com","password":"secret1"}')
        end
        """)
      let result = try Wrk.run(
        script, url: server.accounts("signUp"), connections: 1, threads: 1, seconds: 2)
      created += result.perSecond * 2
    }
    return [
      Row("resident memory, idle", unit: "MB", value: idle, bar: 45, peer: 303, less: true),
      Row(
        "resident memory after \(Int(created)) sign-ups", unit: "MB",
        value: server.residentMegabytes(), bar: 80,
        peer: 297, less: true),
    ]
  }

  /// What the log of commits keeps of a large document.
  private static func oneDocument(_ binary: String) async throws -> Row {
    let server = try await Server(binary)
    defer { server.stop() }
    let writes = 2000
    for number in 0..<writes { try await write("one", number: number, to: server) }
    return Row(
      "resident memory after \(writes) writes of 1 MB to one document", unit: "MB",
      value: server.residentMegabytes(), bar: 300, less: true)
  }

  /// What is given back when documents are cleared away.
  private static func manyDocuments(_ binary: String) async throws -> Row {
    let server = try await Server(binary)
    defer { server.stop() }
    for _ in 0..<10 {
      for number in 0..<100 { try await write("d\(number)", number: number, to: server) }
      try await server.clearDocuments()
    }
    return Row(
      "resident memory after 10 × (100 documents of 1 MB, cleared)", unit: "MB",
      value: server.residentMegabytes(), bar: 300, less: true)
  }

  private static func write(_ id: String, number: Int, to server: Server) async throws {
    try await Client.send(
      "PATCH", url: server.documents("/large/\(id)"),
      body: #"{"fields":{"n":{"integerValue":"\#(number)"},"text":{"stringValue":"\#(megabyte)"}}}"#
    )
  }
}
