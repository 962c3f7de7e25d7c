import ArgumentParser
import HearthServer
import HearthSettings
import Logging

/// `hearth emulators:start`: what `firebase emulators:start` takes.
struct EmulatorsStart: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulators:start",
    abstract: "Start the emulator with the flags of firebase emulators:start.",
    discussion: OfficialOptions.shortFlags)

  @OptionGroup(title: "As in Firebase's tools") var official: OfficialOptions
  @OptionGroup var options: ServerOptions
  @OptionGroup(title: "The rest of the suite") var tools: ToolsOptions

  func run() async throws {
    try await Serve.run(
      official.applied(to: options.configuration(), options), rest: official.wish(tools))
  }
}

/// `hearth emulators:exec "npm test"`: what `firebase emulators:exec` takes. Unlike `hearth exec` it
/// uses the ports of `firebase.json`.
struct EmulatorsExec: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulators:exec",
    abstract: "Start the emulator, run a script in a shell, and stop.",
    usage: "hearth emulators:exec [<options>] \"<script>\"", discussion: OfficialOptions.shortFlags)

  @OptionGroup(title: "As in Firebase's tools") var official: OfficialOptions
  @OptionGroup var options: ServerOptions
  @OptionGroup(title: "The rest of the suite") var tools: ToolsOptions

  @Argument(help: "The script, as one argument.")
  var script: [String] = []

  func validate() throws {
    guard script.count == 1 else {
      throw ValidationError("expected one script in quotes: hearth emulators:exec \"npm test\"")
    }
  }

  func run() async throws {
    var configuration = try official.applied(to: options.configuration(), options)
    try configuration.refuseSharing(for: "emulators:exec")
    configuration.hubPort = Exec.hubPort(options, configuration: configuration)
    Exec.freeMailPorts(of: &configuration, options)
    let rest = try Rest.found(official.wish(tools), beside: configuration)
    if let rest { configuration = rest.applied(to: configuration) }
    if let words = Banner.otherEmulators(configuration) { warn(words) }
    try await Exec.run(
      "sh", arguments: ["-c", script.first ?? ""], beside: configuration, rest: rest)
  }
}

/// The flags of the official commands that `serve` does not have. Those that steer emulators which
/// are not here have no effect.
struct OfficialOptions: ParsableArguments {
  static let shortProject = "-P is short for --project."
  static let shortFlags = "-P is short for --project, and -c for --config."

  @Option(help: "The emulators to start, separated by commas.")
  var only: String?

  @Option(help: "DEBUG, INFO, QUIET or SILENT.")
  var logVerbosity: LogVerbosity?

  @Option(help: .hidden) var inspectFunctions: String?
  @Option(help: .hidden) var account: String?
  @Option(help: .hidden) var token: String?
  @Flag(help: .hidden) var ui = false
  @Flag(help: "Log everything; the same as --log-level debug.") var debug = false
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
    let started = HearthSettings.Configuration.suite.union(HearthSettings.Configuration.emulators)
    guard !started.isDisjoint(with: names) else {
      throw ValidationError("--only: '\(only)' selects no emulator")
    }
  }

  func applied(
    to configuration: HearthSettings.Configuration, _ options: ServerOptions
  ) -> HearthSettings.Configuration {
    var configuration = configuration
    if debug { configuration.logLevel = .debug }
    if let logVerbosity, options[.logLevel] == nil {
      configuration.logLevel = logVerbosity.level
    }
    guard let names else { return configuration }
    configuration.select(
      HearthSettings.Configuration.emulators.intersection(names),
      others: names.filter(HearthSettings.Configuration.suite.contains))
    return configuration
  }

  /// What is to run beside the server: the emulators that it does not have.
  func wish(_ tools: ToolsOptions) -> Rest.Wish {
    let others = words.map { words in
      words.filter { word in
        HearthSettings.Configuration.suite.contains(Self.plain(word))
      }
    }
    return Rest.Wish(
      only: others, tools: tools.firebaseTools,
      others: (inspectFunctions.map { ["--inspect-functions", $0] } ?? [])
        + (debug ? ["--debug"] : []))
  }

  /// The emulators of `--only`; nil without it.
  private var names: [String]? { words?.map(Self.plain) }

  private var words: [String]? {
    only?.split(separator: ",").map { name in name.filter { $0 != " " } }
  }

  /// `functions:api` means one function of an emulator.
  private static func plain(_ word: String) -> String { String(word.prefix { $0 != ":" }) }

  private static let known = HearthSettings.Configuration.suite.union(
    HearthSettings.Configuration.emulators
  ).union(["ui", "hub", "logging"])
}

/// The official flags have short forms, and values that may be left out.
enum OfficialArguments {
  private static let short = ["-P": "--project", "-c": "--config"]

  /// The same arguments as this program's parser takes them.
  static func rewritten(_ arguments: [String]) -> [String] {
    guard let command = arguments.first,
      command.hasPrefix("emulators:") || command.hasPrefix("auth:")
    else { return arguments }
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
