import ArgumentParser
import Foundation
import HearthServer

/// The flags of every command that starts a server. Each has an environment variable `HEARTH_…`;
/// a flag wins over the variable, that over `firebase.json`, and that over the default.
struct ServerOptions: ParsableArguments {
  @Option(help: "The default project. (default: demo-hearth)")
  var project: String?

  @Option(help: "The address to listen on. (default: 127.0.0.1)")
  var host: String?

  @Option(help: "The port of Auth; 0 takes a free one, as exec does. (default: 9099)")
  var authPort: String?

  @Option(help: "The port of Firestore; exec takes a free one. (default: 8080)")
  var firestorePort: String?

  @Option(help: "The port of the console; exec takes a free one. (default: 4000)")
  var consolePort: String?

  @Option(help: "A second port of Auth that issues unsigned tokens, for Admin Node.")
  var unsignedAuthPort: String?

  @Option(help: "How tokens are signed: rs256 or none. (default: rs256)")
  var tokens: String?

  @Option(help: "The initial values of the switches: emulator or production. (default: emulator)")
  var profile: String?

  @Option(help: "The directory for the database and the keys. (default: memory only)")
  var data: String?

  @Option(help: "trace, debug, info, notice, warning, error or critical. (default: info)")
  var logLevel: String?

  @Option(help: "What to do with other projects: no-warning, warning or error. (default: warning)")
  var singleProjectMode: String?

  @Option(
    name: .customLong("allowed-host"),
    help: "A host name that the control endpoints answer to; may be repeated.")
  var allowedHosts: [String] = []

  @Option(
    name: .customLong("import"),
    help: "An export's directory, or a file of firebase auth:export, to start with.")
  var importPath: String?

  @Option(help: "A directory to export the default project's accounts to when the server stops.")
  var exportOnExit: String?

  @Option(help: "A file of Firestore security rules. (default: the one of firebase.json)")
  var rules: String?

  @Option(
    help: """
      What the rules of one request may cost: a unit is about 100 ns of work or a byte of a value. \
      (default: 10000000)
      """)
  var rulesBudget: Int?

  @Option(
    name: .customLong("dialect"),
    help: "The definition of a dialect, a password-reset API; may be repeated.")
  var dialects: [String] = []

  @Option(help: "host:port of a mail server that gets every captured mail.")
  var smtpRelay: String?

  @Option(help: "host:port of a functions emulator to notify of new and deleted users.")
  var functionsEmulator: String?

  @Option(help: "The firebase.json to read. (default: the nearest, here or above)")
  var config: String?

  /// The settings that all sources together make.
  func configuration(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    directory: String = FileManager.default.currentDirectoryPath
  ) throws -> Configuration {
    var configuration = Configuration()
    try configuration.applyFirebaseJSON(config, in: directory)
    try configuration.apply(Configuration.Settings(environment: environment))
    try configuration.apply(flags)
    return configuration
  }

  private var flags: Configuration.Settings {
    let given: [Configuration.Setting: String?] = [
      .project: project, .host: host, .authPort: authPort, .firestorePort: firestorePort,
      .consolePort: consolePort, .unsignedAuthPort: unsignedAuthPort, .tokens: tokens,
      .profile: profile, .data: data, .logLevel: logLevel,
      .singleProjectMode: singleProjectMode,
      .functionsAddress: functionsEmulator, .importPath: importPath,
      .exportDirectory: exportOnExit,
      .rules: rules, .rulesBudget: rulesBudget.map(String.init), .smtpRelay: smtpRelay,
    ]
    var values = given.compactMapValues { $0.map { [$0] } }
    if !dialects.isEmpty { values[.dialects] = dialects }
    if !allowedHosts.isEmpty { values[.allowedHosts] = allowedHosts }
    return Configuration.Settings(values) { "--" + $0.rawValue }
  }
}
