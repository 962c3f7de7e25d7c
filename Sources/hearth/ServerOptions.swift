import ArgumentParser
import HearthServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The flags of every command that starts a server. Each has an environment variable `HEARTH_…`;
/// a flag wins over the variable, that over `firebase.json`, and that over the default.
struct ServerOptions: ParsableArguments {
  private typealias Setting = Configuration.Setting

  @Option(name: Setting.project.name, help: Setting.project.help) var project: String?
  @Option(name: Setting.host.name, help: Setting.host.help) var host: String?
  @Option(name: Setting.authPort.name, help: Setting.authPort.help) var authPort: String?
  @Option(name: Setting.firestorePort.name, help: Setting.firestorePort.help)
  var firestorePort: String?
  @Option(name: Setting.consolePort.name, help: Setting.consolePort.help) var consolePort: String?
  @Option(name: Setting.hubPort.name, help: Setting.hubPort.help) var hubPort: String?
  @Option(name: Setting.smtpPort.name, help: Setting.smtpPort.help) var smtpPort: String?
  @Option(name: Setting.smtpTLSPort.name, help: Setting.smtpTLSPort.help)
  var smtpTLSPort: String?
  @Option(name: Setting.mailAPIPort.name, help: Setting.mailAPIPort.help) var mailAPIPort: String?
  @Option(name: Setting.unsignedAuthPort.name, help: Setting.unsignedAuthPort.help)
  var unsignedAuthPort: String?
  @Option(name: Setting.tokens.name, help: Setting.tokens.help) var tokens: String?
  @Option(name: Setting.profile.name, help: Setting.profile.help) var profile: String?
  @Option(name: Setting.data.name, help: Setting.data.help) var data: String?
  @Option(name: Setting.logLevel.name, help: Setting.logLevel.help) var logLevel: String?
  @Option(name: Setting.singleProjectMode.name, help: Setting.singleProjectMode.help)
  var singleProjectMode: String?
  @Option(name: Setting.allowedHosts.name, help: Setting.allowedHosts.help)
  var allowedHosts: [String] = []
  @Option(name: Setting.importPath.name, help: Setting.importPath.help) var importPath: String?
  @Option(
    name: Setting.exportDirectory.name, defaultAsFlag: "", help: Setting.exportDirectory.help)
  var exportOnExit: String?
  @Option(
    name: Setting.readablePasswords.name, defaultAsFlag: "true",
    help: Setting.readablePasswords.help)
  var exportReadablePasswords: String?
  @Option(name: Setting.exportBelow.name, help: Setting.exportBelow.help)
  var allowExportBelow: String?
  @Option(name: Setting.seeds.name, help: Setting.seeds.help) var seeds: [String] = []
  @Option(name: Setting.rules.name, help: Setting.rules.help) var rules: String?
  @Option(name: Setting.indexes.name, help: Setting.indexes.help) var indexes: String?
  @Option(
    name: Setting.writeIndexes.name, defaultAsFlag: "true", help: Setting.writeIndexes.help)
  var writeIndexes: String?
  @Option(name: Setting.rulesBudget.name, help: Setting.rulesBudget.help) var rulesBudget: Int?
  @Option(name: Setting.snapshotLimit.name, help: Setting.snapshotLimit.help)
  var snapshotLimit: Int?
  @Option(name: Setting.dialects.name, help: Setting.dialects.help) var dialects: [String] = []
  @Option(name: Setting.mailboxLimit.name, help: Setting.mailboxLimit.help) var mailboxLimit: Int?
  @Option(name: Setting.triggerEmail.name, help: Setting.triggerEmail.help)
  var triggerEmail: [String] = []
  @Option(name: Setting.smtpRelay.name, help: Setting.smtpRelay.help) var smtpRelay: String?
  @Option(name: Setting.relayRecipients.name, help: Setting.relayRecipients.help)
  var relayRecipients: [String] = []
  @Option(name: Setting.functionsAddress.name, help: Setting.functionsAddress.help)
  var functionsEmulator: String?
  @Option(name: Setting.triggerRetries.name, help: Setting.triggerRetries.help)
  var triggerRetries: String?
  @Option(name: Setting.allowedWebhookHosts.name, help: Setting.allowedWebhookHosts.help)
  var allowedWebhookHosts: [String] = []

  @Option(help: ArgumentHelp(stringLiteral: Configuration.configFile.help)) var config: String?

  /// The settings that all sources together make.
  func configuration(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    directory: String = FileManager.default.currentDirectoryPath
  ) throws -> Configuration {
    var configuration = Configuration()
    try configuration.applyFirebaseJSON(config, in: directory)
    try configuration.apply(Configuration.Settings(environment: environment))
    try configuration.apply(flags)
    try configuration.settleExports(in: directory)
    return configuration
  }

  private var flags: Configuration.Settings {
    let given: [Configuration.Setting: String?] = [
      .project: project, .host: host, .authPort: authPort, .firestorePort: firestorePort,
      .consolePort: consolePort, .unsignedAuthPort: unsignedAuthPort, .tokens: tokens,
      .profile: profile, .data: data, .logLevel: logLevel,
      .singleProjectMode: singleProjectMode,
      .hubPort: hubPort, .smtpPort: smtpPort, .smtpTLSPort: smtpTLSPort, .mailAPIPort: mailAPIPort,
      .triggerRetries: triggerRetries,
      .functionsAddress: functionsEmulator, .importPath: importPath,
      .exportDirectory: exportOnExit, .exportBelow: allowExportBelow,
      .readablePasswords: exportReadablePasswords,
      .indexes: indexes, .writeIndexes: writeIndexes,
      .rules: rules, .rulesBudget: rulesBudget.map(String.init),
      .snapshotLimit: snapshotLimit.map(String.init), .smtpRelay: smtpRelay,
      .mailboxLimit: mailboxLimit.map(String.init),
    ]
    var values = given.compactMapValues { $0.map { [$0] } }
    if !dialects.isEmpty { values[.dialects] = dialects }
    if !triggerEmail.isEmpty { values[.triggerEmail] = triggerEmail }
    if !relayRecipients.isEmpty { values[.relayRecipients] = relayRecipients }
    if !seeds.isEmpty { values[.seeds] = seeds }
    if !allowedHosts.isEmpty { values[.allowedHosts] = allowedHosts }
    if !allowedWebhookHosts.isEmpty { values[.allowedWebhookHosts] = allowedWebhookHosts }
    return Configuration.Settings(values) { "--" + $0.flag }
  }
}

extension Configuration.Setting {
  fileprivate var name: NameSpecification { .customLong(flag) }
  fileprivate var help: ArgumentHelp { ArgumentHelp(stringLiteral: text.help) }
}
