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

  /// What can be measured by itself, in the order of the table.
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case start, memory, auth, push, firestore, queries, accounts, imports, snapshots, triggers
  }

  @Option(help: "The hearth to measure.")
  var binary = ".build/release/hearth"

  @Option(help: "Seconds for each load.")
  var seconds = 5

  @Option(help: "The part to measure; may be repeated. (default: all of them)")
  var only: [Part] = []

  @Option(
    help: "Measure only whether memory grows under a mixed load that lasts so long (90s, 10m).")
  var soak: SoakPart.Length?

  @OptionGroup(title: "Firestore")
  var firestore: FirestorePart

  @OptionGroup(title: "Queries")
  var queries: QueryPart

  @OptionGroup(title: "Accounts")
  var accounts: AccountPart

  @OptionGroup(title: "Imports")
  var imports: ImportPart

  @OptionGroup(title: "Snapshots")
  var snapshots: SnapshotPart

  func run() async throws {
    var report = Report()
    // What was measured before a failure is worth reading too.
    defer { report.print() }
    if let soak {
      report += try await SoakPart.measure(binary, length: soak)
      return
    }
    for part in Part.allCases where only.isEmpty || only.contains(part) {
      switch part {
      case .start: report.rows.append(try await startTime())
      case .memory: report.rows += try await MemoryPart.measure(binary)
      case .auth: report += try await auth()
      case .push: report.rows.append(try await PushPart.measure(binary, seconds: seconds))
      case .firestore: report += try await firestore.measure(binary, seconds: seconds)
      case .queries: report += try await queries.measure(binary)
      case .accounts: report += try await accounts.measure(binary)
      case .imports: report.rows += try await imports.measure(binary)
      case .triggers: report.rows.append(try await TriggersPart.measure(binary))
      case .snapshots: report += try await snapshots.measure(binary)
      }
    }
  }

  /// The median of twenty starts.
  private func startTime() async throws -> Row {
    var times: [Double] = []
    for _ in 0..<20 {
      let started = ContinuousClock.now
      let server = try await Server(binary)
      times.append(started.millisecondsAgo)
      server.stop()
    }
    return Row(
      "process start → first answer", unit: "ms", value: times.median, bar: 30, peer: 3200,
      less: true)
  }

  private func auth() async throws -> Report {
    let signatures = try signaturesPerSecond()
    var report = Report()
    report.rows += try await loads(flags: [], signatures: signatures)
    report.rows += try await loads(flags: ["--tokens", "none"], signatures: nil)
    report.notes = ["openssl speed rsa2048: \(Int(signatures)) signatures/s on one core"]
    return report
  }

  private func loads(flags: [String], signatures: Double?) async throws -> [Row] {
    let server = try await Server(binary, flags: flags)
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
        isSigned ? "\(load.name), \(kind)" : load.name, unit: "/s", value: result.perSecond,
        bar: load.bar,
        peer: load.peer, less: false, p99: result.p99,
        signing: isSigned ? signatures.map { result.perSecond / $0 } : nil)
    }
  }

  private func signaturesPerSecond() throws -> Double {
    let text = try Command.output("openssl", arguments: ["speed", "-seconds", "2", "rsa2048"])
    // rsa 2048 bits 0.000205s 0.000006s   4870.5 166060.0
    let line = text.split(separator: "\n").last { $0.hasPrefix("rsa 2048") }
    let fields = line?.split(separator: " ") ?? []
    return fields.count > 2 ? Double(fields[fields.count - 2]) ?? 1 : 1
  }
}
