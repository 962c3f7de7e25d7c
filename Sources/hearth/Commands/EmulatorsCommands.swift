import ArgumentParser
import HearthServer
import Logging

/// `hearth emulators:start`: what `firebase emulators:start` takes.
struct EmulatorsStart: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulators:start",
    abstract: "Start the emulator with the flags of firebase emulators:start.")

  @OptionGroup var options: ServerOptions
  @OptionGroup var official: OfficialOptions

  func run() async throws {
    try await Serve.run(official.applied(to: options.configuration(), options))
  }
}

/// `hearth emulators:exec "npm test"`: what `firebase emulators:exec` takes. Unlike `hearth exec` it
/// uses the ports of `firebase.json`.
struct EmulatorsExec: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulators:exec",
    abstract: "Start the emulator, run a script in a shell, and stop.",
    usage: "hearth emulators:exec [<options>] \"<script>\"")

  @OptionGroup var options: ServerOptions
  @OptionGroup var official: OfficialOptions

  @Argument(help: "The script, as one argument.")
  var script: [String] = []

  func validate() throws {
    guard script.count == 1 else {
      throw ValidationError(
        "one script in quotes is expected: hearth emulators:exec \"npm test\"")
    }
  }

  func run() async throws {
    var configuration = try official.applied(to: options.configuration(), options)
    configuration.hubPort = Exec.hubPort(options, configuration)
    Exec.freeMailPorts(of: &configuration, options)
    if let words = Banner.otherEmulators(configuration) { warn(words) }
    try await Exec.run("sh", ["-c", script.first ?? ""], beside: configuration)
  }
}

/// The flags of the official commands that `serve` does not have. Those that steer emulators which
/// are not here have no effect.
struct OfficialOptions: ParsableArguments {
  @Option(help: "The emulators to start, with commas between them.")
  var only: String?

  @Option(help: "DEBUG, INFO, QUIET or SILENT.")
  var logVerbosity: LogVerbosity?

  @Option(help: .hidden) var inspectFunctions: String?
  @Option(help: .hidden) var account: String?
  @Option(help: .hidden) var token: String?
  @Flag(help: .hidden) var ui = false
  @Flag(help: .hidden) var debug = false
  @Flag(help: .hidden) var nonInteractive = false
  @Flag(name: [.short, .long], help: .hidden) var interactive = false
  @Flag(name: [.short, .long], help: .hidden) var json = false

  enum LogVerbosity: String, ExpressibleByArgument, CaseIterable {
    case debug = "DEBUG"
    case info = "INFO"
    case quiet = "QUIET"
    case silent = "SILENT"

    init?(argument: String) { self.init(rawValue: argument.uppercased()) }

    var level: Logger.Level {
      switch self {
      case .debug: .debug
      case .info: .info
      case .quiet: .warning
      case .silent: .critical
      }
    }
  }

  func validate() throws {
    guard let only, let names else { return }
    if let unknown = names.first(where: { !Self.known.contains($0) }) {
      throw ValidationError("--only: unknown emulator '\(unknown)'")
    }
    guard !HearthServer.Configuration.emulators.isDisjoint(with: names) else {
      throw ValidationError("--only: hearth has auth and firestore; '\(only)' selects neither")
    }
  }

  func applied(
    to configuration: HearthServer.Configuration, _ options: ServerOptions
  ) -> HearthServer.Configuration {
    var configuration = configuration
    if debug { configuration.logLevel = .debug }
    if let logVerbosity, options.logLevel == nil { configuration.logLevel = logVerbosity.level }
    guard let names else { return configuration }
    configuration.select(
      HearthServer.Configuration.emulators.intersection(names),
      others: names.filter(HearthServer.Configuration.suite.contains))
    return configuration
  }

  /// The emulators of `--only`; nil without it.
  private var names: [String]? {
    // `functions:api` means one function of an emulator.
    only?.split(separator: ",").map { name in
      String(name.prefix { $0 != ":" }.filter { $0 != " " })
    }
  }

  private static let known = HearthServer.Configuration.suite.union(
    HearthServer.Configuration.emulators
  ).union(["ui", "hub", "logging"])
}

/// The official flags have short forms, and values that may be left out.
enum OfficialArguments {
  private static let short = ["-P": "--project", "-c": "--config"]

  /// The same arguments as this program's parser takes them.
  static func rewritten(_ arguments: [String]) -> [String] {
    guard arguments.first?.hasPrefix("emulators:") == true else { return arguments }
    let importPath = value(of: "--import", in: arguments)
    var rewritten: [String] = []
    for (index, argument) in arguments.enumerated() {
      rewritten.append(long(argument))
      let next = index + 1 < arguments.count ? arguments[index + 1] : nil
      switch argument {
      case "--inspect-functions" where next.flatMap(UInt16.init) == nil:
        rewritten.append("9229")
      case "--export-on-exit" where next.map({ $0.hasPrefix("-") }) ?? true:
        // Without a value it exports to where the import came from.
        if let importPath { rewritten.append(importPath) }
      default: break
      }
    }
    return rewritten
  }

  /// The long form of a short flag, also of one with its value attached, as in `-Pdemo-app`.
  private static func long(_ argument: String) -> String {
    let prefix = String(argument.prefix(2))
    guard let flag = short[prefix] else { return argument }
    return argument == prefix ? flag : "\(flag)=\(argument.dropFirst(2))"
  }

  private static func value(of flag: String, in arguments: [String]) -> String? {
    for (index, argument) in arguments.enumerated() {
      if argument == flag, index + 1 < arguments.count { return arguments[index + 1] }
      if argument.hasPrefix(flag + "=") { return String(argument.dropFirst(flag.count + 1)) }
    }
    return nil
  }
}
