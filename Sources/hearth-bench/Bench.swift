import ArgumentParser
import Foundation

/// Measures a release build of hearth on this machine, and prints ratios.
///
/// Numbers of different machines, or of a machine that does something else as well, do not compare;
/// the ratio to OpenSSL's own signing speed, taken in the same run, does.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hearth-bench",
    abstract: "Measure hearth with wrk, and print a table with ratios.",
    discussion: "Needs wrk and openssl: apt-get install wrk openssl. Build hearth first: "
      + "swift build -c release --product hearth")

  @Option(help: "The hearth to measure.")
  var binary = ".build/release/hearth"

  @Option(help: "Seconds for each load.")
  var seconds = 5

  func run() async throws {
    var rows: [Row] = []
    rows.append(
      Row(
        "process start → first answer", "ms", try await startTime(), bar: 30, peer: 3200, less: true
      ))
    rows += try await memory()
    let signatures = try signaturesPerSecond()
    rows += try await loads(flags: [], signatures: signatures)
    rows += try await loads(flags: ["--tokens", "none"], signatures: nil)
    Row.print(rows)
    print("\nopenssl speed rsa2048: \(Int(signatures)) signatures/s on one core")
  }

  /// The median of twenty starts.
  private func startTime() async throws -> Double {
    var times: [Double] = []
    for _ in 0..<20 {
      let started = ContinuousClock.now
      let server = try await Server(binary, [])
      times.append(Double((ContinuousClock.now - started) / .milliseconds(1)))
      server.stop()
    }
    return times.sorted()[times.count / 2]
  }

  private func memory() async throws -> [Row] {
    let server = try await Server(binary, [])
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
      Row("resident memory, idle", "MB", idle, bar: 45, peer: 303, less: true),
      Row(
        "resident memory after \(Int(created)) sign-ups", "MB", server.residentMegabytes(), bar: 80,
        peer: 297, less: true),
    ]
  }

  private func loads(flags: [String], signatures: Double?) async throws -> [Row] {
    let server = try await Server(binary, flags)
    defer { server.stop() }
    let session = try await server.signUp()
    let kind = signatures == nil ? "unsigned" : "signed"
    let cases: [(name: String, verb: String, body: String, bar: Double, peer: Double)] =
      signatures == nil
      ? [("signInWithPassword", "signInWithPassword", Server.credentials, 15_000, 1690)]
      : [
        ("signInWithPassword", "signInWithPassword", Server.credentials, 4500, 1690),
        ("signUp (anonymous)", "signUp", "{}", 4500, 1600),
        ("lookup", "lookup", #"{"idToken":"\#(session)"}"#, 20_000, 5000),
        (
          "sendOobCode", "sendOobCode",
          #"{"requestType":"PASSWORD_RESET","email":"bench@example.com"}"#, 12_000, 4900
        ),
      ]
    return try cases.map { load in
      let script = try Wrk.script(
        """
        wrk.method = 'POST'
        wrk.headers['Content-Type'] = 'application/json'
        wrk.body = '\(load.body)'
        """)
      let result = try Wrk.run(
        script, url: server.accounts(load.verb), connections: 16, threads: 2, seconds: seconds)
      let isSigned = load.verb.hasPrefix("sign")
      return Row(
        isSigned ? "\(load.name), \(kind)" : load.name, "/s", result.perSecond, bar: load.bar,
        peer: load.peer, less: false, p99: result.p99,
        signing: isSigned ? signatures.map { result.perSecond / $0 } : nil)
    }
  }

  private func signaturesPerSecond() throws -> Double {
    let text = try Command.output("openssl", ["speed", "-seconds", "2", "rsa2048"])
    // rsa 2048 bits 0.000205s 0.000006s   4870.5 166060.0
    let line = text.split(separator: "\n").last { $0.hasPrefix("rsa 2048") }
    let fields = line?.split(separator: " ") ?? []
    return fields.count > 2 ? Double(fields[fields.count - 2]) ?? 1 : 1
  }
}

/// One line of the table.
struct Row {
  let name: String
  let unit: String
  let value: Double
  let bar: Double
  let peer: Double
  let isLessBetter: Bool
  let p99: String?
  let signing: Double?

  init(
    _ name: String, _ unit: String, _ value: Double, bar: Double, peer: Double, less: Bool,
    p99: String? = nil, signing: Double? = nil
  ) {
    self.name = name
    self.unit = unit
    self.value = value
    self.bar = bar
    self.peer = peer
    isLessBetter = less
    self.p99 = p99
    self.signing = signing
  }

  static func print(_ rows: [Row]) {
    Swift.print("| | measured | bar | official emulator | ratio to it | p99 | ratio to openssl |")
    Swift.print("|---|---|---|---|---|---|---|")
    for row in rows {
      let ratio = row.isLessBetter ? row.peer / row.value : row.value / row.peer
      let cells = [
        row.name, "\(row.number(row.value)) \(row.unit)",
        "\(row.isLessBetter ? "≤" : "≥") \(row.number(row.bar)) \(row.unit)",
        "\(row.number(row.peer)) \(row.unit)", "\(Self.short(ratio))×", row.p99 ?? "",
        row.signing.map(Self.short) ?? "",
      ]
      Swift.print("| " + cells.joined(separator: " | ") + " |")
    }
  }

  private func number(_ value: Double) -> String {
    value < 100 ? Self.short(value) : String(Int(value))
  }

  private static func short(_ value: Double) -> String {
    String((value * 10).rounded() / 10)
  }
}
