import ArgumentParser
import Foundation

/// What single requests cost when the accounts become many, and how quickly those are imported.
struct AccountPart: ParsableArguments {
  @Option(help: "Accounts of the large project, and of the file; the small project has 1000.")
  var accounts = 100_000

  @Flag(help: "Measure a project with 1000000 accounts too, which takes a minute more.")
  var large = false

  func measure(_ binary: String) async throws -> Report {
    var report = try await costs(binary)
    report.rows += try await fileImport(binary)
    return report
  }

  private func costs(_ binary: String) async throws -> Report {
    let sizes = [SampleAccounts.batch, accounts] + (large ? [1_000_000] : [])
    // A signature takes longer than all the rest, and would hide what grows.
    let servers = try await Server.several(
      sizes.count, binary: binary, flags: ["--tokens", "none"])
    defer { for server in servers { server.stop() } }
    var batches: [Double] = []
    for (server, size) in zip(servers, sizes) {
      let times = try await SampleAccounts.fill(server, count: size)
      if size == accounts { batches = times }
    }

    var report = Report()
    let lookups = zip(servers, sizes).map { server, size in
      Wrk.Load(
        url: server.projectAccounts("lookup"),
        script: Wrk.posting(
          #"{"localId":["\#(SampleAccounts.id("PICK"))"]}"#, pick: Self.anyOf(size)))
    }
    let signIns = zip(servers, sizes).map { server, size in
      Wrk.Load(
        url: server.accounts("signInWithPassword"),
        script: Wrk.posting(
          """
          {"email":"\(SampleAccounts.email("PICK"))","password":"\(SampleAccounts.password)",\
          "returnSecureToken":true}
          """, pick: Self.anyOf(size), isOwner: false))
    }
    for (name, loads) in [("lookup", lookups), ("signInWithPassword", signIns)] {
      let medians = try Wrk.medians(loads, rounds: 5)
      for (size, median) in zip(sizes, medians).dropFirst() {
        report.rows.append(
          Row(
            "\(name); \(size) to \(sizes[0]) accounts", from: medians[0], to: median, bar: 1.5))
      }
      let times = zip(sizes, medians).map { "\($1.asTime) of \($0) accounts" }
      report.notes.append("\(name): " + times.joined(separator: ", "))
    }
    report.rows.append(
      Row(
        "batchCreate of \(SampleAccounts.batch) users", unit: "ms", value: batches.median,
        less: true))
    if let server = servers.last, let size = sizes.last {
      report.rows += try await UserListPart.measure(server, accounts: size)
    }
    return report
  }

  private static func anyOf(_ size: Int) -> String { "math.random(0, \(size - 1))" }

  private func fileImport(_ binary: String) async throws -> [Row] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-bench.json")
    try SampleAccounts.file(accounts).write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try await Server(binary)
    defer { server.stop() }
    let started = ContinuousClock.now
    let answer = try Command.output(
      binary,
      arguments: ["import", "--project", Server.project, "--address", server.address, file.path])
    let seconds = started.millisecondsAgo / 1000
    guard answer.hasPrefix("Imported \(accounts) accounts.") else {
      throw Command.Failure("hearth import said: \(answer)")
    }
    var rows = [
      Row("hearth import of \(accounts) users", unit: "s", value: seconds, bar: 10, less: true)
    ]
    if let peak = server.peakMegabytes() {
      rows.append(Row("peak resident memory of that import", unit: "MB", value: peak, less: true))
    }
    return rows
  }
}

/// Accounts with a password that is imported in clear text, as the official emulator exports it.
enum SampleAccounts {
  /// Accounts of one request, as many as production takes.
  static let batch = 1000
  static let password = "secret1"
  private static let salt = "S"

  static func id(_ index: String) -> String { "user\(index)" }
  static func email(_ index: String) -> String { "user\(index)@example.com" }

  /// Imports that many, and returns the milliseconds of each request.
  static func fill(_ server: Server, count: Int) async throws -> [Double] {
    struct Answer: Decodable { let error: [Refusal]? }
    struct Refusal: Decodable { let message: String }
    var times: [Double] = []
    for start in stride(from: 0, to: count, by: batch) {
      let body = users(start..<min(start + batch, count))
      let started = ContinuousClock.now
      let data = try await Client.post(server.projectAccounts("batchCreate"), body: body)
      times.append(started.millisecondsAgo)
      if let refusal = try JSONDecoder().decode(Answer.self, from: data).error?.first {
        throw Command.Failure("batchCreate refused an account: \(refusal.message)")
      }
    }
    return times
  }

  /// A file of `firebase auth:export`.
  static func file(_ count: Int) -> String { users(0..<count) }

  private static func users(_ indices: Range<Int>) -> String {
    #"{"users":[\#(indices.map { user(String($0)) }.joined(separator: ",\n"))]}"#
  }

  private static func user(_ index: String) -> String {
    """
    {"localId":"\(id(index))","email":"\(email(index))","emailVerified":true,\
    "passwordHash":"fakeHash:salt=\(salt):password=\(password)","salt":"\(salt)",\
    "displayName":"User \(index)","lastSignedInAt":"1750000000000",\
    "createdAt":"1700000000000","providerUserInfo":[]}
    """
  }
}
