import ArgumentParser
import HearthGoogle
import HearthServer
import HearthSettings

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `hearth doctor`: whether a server would start here; and with `--as-google`, what that mode can do
/// on this machine and for a command.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check what a server needs on this machine: ports, files, data.",
    usage: """
      hearth doctor
      hearth doctor --as-google [-- <command> ...]
      """,
    discussion: """
      Checks what `hearth` would use in this directory and environment, and starts nothing. The \
      status is 1 if a server could not start. With --as-google it checks whether `hearth exec \
      --as-google` works on this machine, or for a given command.
      """)

  @Flag(help: "Check whether --as-google works on this machine, or for a command.")
  var asGoogle = false

  @Argument(parsing: .captureForPassthrough, help: "The command to check. It is not run.")
  var command: [String] = []

  func validate() throws {
    if let word = command.first, word.hasPrefix("-"), !["--", "-h", "--help"].contains(word) {
      throw ValidationError("Unknown option '\(word)'")
    }
    if ["-h", "--help"].contains(command.first) { return }
    guard asGoogle || command.isEmpty else {
      throw ValidationError("--as-google is missing: hearth doctor --as-google -- <command>")
    }
  }

  func run() async throws {
    if ["-h", "--help"].contains(command.first) { throw CleanExit.helpRequest(Self.self) }
    guard asGoogle else { return try await MachineCheck().run() }
    let inherited = ProcessInfo.processInfo.environment
    let failure = await NamespaceProbe.failure()
    var lines = Self.ways(failure)
    if let name = command.first(where: { $0 != "--" }) {
      lines += Self.inspected(name, failure: failure, inherited: inherited)
      return print(lines.joined(separator: "\n"))
    }
    lines += [
      "", "Runtimes on the path: what makes them trust Hearth, and whether they use a proxy",
    ]
    for runtime in Runtime.all {
      guard let place = runtime.location(on: inherited["PATH"] ?? "") else { continue }
      lines.append("  \(runtime.name): \(place)")
      lines.append("    trust: \(runtime.trust)")
      lines.append("    proxy: \(runtime.proxy)")
    }
    let found = RealCredentials(inherited: inherited).found
    lines.append("")
    if found.isEmpty {
      lines.append("Real credentials: none found.")
    } else {
      lines.append("Real credentials that are hidden from the command:")
      lines += found.map { "  " + $0 }
    }
    print(lines.joined(separator: "\n"))
  }

  /// What is known of one command.
  private static func inspected(
    _ name: String, failure: NamespaceFailure?, inherited: [String: String]
  ) -> [String] {
    let found = CommandInspection(name, path: inherited["PATH"] ?? "")
    var lines = ["", "Command: \(name)"] + found.steps.map { "  " + $0 }
    if let runtime = found.runtime {
      lines.append("  trust: \(runtime.trust)")
      if failure != nil { lines.append("  proxy: \(runtime.proxy)") }
      lines.append("  not covered: \(runtime.gaps)")
    }
    let places = TrustFolder.Places(proxy: failure == nil ? nil : "127.0.0.1:PORT")
    let values = TrustFolder("FOLDER")
      .environment(
        project: Configuration.defaultProject, places: places, inherited: inherited)
    lines += [
      "",
      "Variables that it gets, besides FIREBASE_CONFIG, HEARTH_CONSOLE_URL and those of SMTP servers:",
    ]
    for (variable, value) in values.sorted(by: { $0.key < $1.key }) {
      if let value { lines.append("  \(variable)=\(value)") }
    }
    let hidden = RealCredentials(inherited: inherited).removals.merging(values) { $1 }
      .filter { $0.value == nil && inherited[$0.key] != nil }.keys
    if !hidden.isEmpty {
      lines += ["", "Variables of yours that it does not get:"] + hidden.sorted().map { "  " + $0 }
    }
    return lines
  }

  /// What becomes of programs that no variable gives certificates to.
  private static var trust: String {
    NamespaceFiles.systemTrust.map {
      "  The system's certificates are Hearth's there (\($0)), for programs that read them."
    }
      ?? "  The system has no file of certificates: programs that need one do not trust Hearth."
  }

  private static func ways(_ failure: NamespaceFailure?) -> [String] {
    guard let failure else {
      return [
        "Mode: namespace. The command gets a network of its own, which no program leaves.", trust,
        "  --as-google-mode proxy works too.",
      ]
    }
    return [
      "Mode: proxy. Programs that read HTTPS_PROXY or -Dhttps.proxyHost are covered; others reach",
      "the real Google.", "Why not a namespace:",
    ] + NamespaceDiagnosis(failure: failure).lines.map { "  " + $0 }
  }
}
