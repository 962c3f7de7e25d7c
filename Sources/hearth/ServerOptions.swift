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
  @Option(.project) var project: String?
  @Option(.host) var host: String?
  @Option(.lan, flag: "true") var lan: String?
  @Option(.lanHost) var lanHost: String?
  @Option(.lanControl, flag: "true") var lanControl: String?
  @Option(.authPort) var authPort: String?
  @Option(.firestorePort) var firestorePort: String?
  @Option(.consolePort) var consolePort: String?
  @Option(.hubPort) var hubPort: String?
  @Option(.smtpPort) var smtpPort: String?
  @Option(.smtpTLSPort) var smtpTLSPort: String?
  @Option(.mailAPIPort) var mailAPIPort: String?
  @Option(.unsignedAuthPort) var unsignedAuthPort: String?
  @Option(.tls, flag: "true") var tls: String?
  @Option(.tlsCertificate) var tlsCert: String?
  @Option(.tlsKey) var tlsKey: String?
  @Option(.asGoogle, flag: "true") var asGoogle: String?
  @Option(.tlsPort) var tlsPort: String?
  @Option(.proxyPort) var proxyPort: String?
  @Option(.metadataPort) var metadataPort: String?
  @Option(.authDomains) var authDomains: [String]
  @Option(.trustDirectory) var trustOut: String?
  @Option(.trustDays) var trustDays: String?
  @Option(.tokens) var tokens: String?
  @Option(.profile) var profile: String?
  @Option(.data) var data: String?
  @Option(.logLevel) var logLevel: String?
  @Option(.singleProjectMode) var singleProjectMode: String?
  @Option(.allowedHosts) var allowedHosts: [String]
  @Option(.importPath) var importPath: String?
  @Option(.exportDirectory, flag: "") var exportOnExit: String?
  @Option(.readablePasswords, flag: "true") var exportReadablePasswords: String?
  @Option(.exportBelow) var allowExportBelow: String?
  @Option(.seeds) var seeds: [String]
  @Option(.rules) var rules: String?
  @Option(.indexes) var indexes: String?
  @Option(.writeIndexes, flag: "true") var writeIndexes: String?
  @Option(.rulesBudget) var rulesBudget: Int?
  @Option(.snapshotLimit) var snapshotLimit: Int?
  @Option(.dialects) var dialects: [String]
  @Option(.mailboxLimit) var mailboxLimit: Int?
  @Option(.triggerEmail) var triggerEmail: [String]
  @Option(.smtpRelay) var smtpRelay: String?
  @Option(.relayRecipients) var relayRecipients: [String]
  @Option(.functionsAddress) var functionsEmulator: String?
  @Option(.triggerRetries) var triggerRetries: String?
  @Option(.allowedWebhookHosts) var allowedWebhookHosts: [String]
  @Option(.serviceAccount) var serviceAccount: String?
  @Option(.acceptAnyServiceAccount, flag: "true") var acceptAnyServiceAccount: String?
  @Option(.publicURL) var publicURL: String?
  @Option(.idpKeys) var idpKeys: [String]

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
      .project: project, .host: host, .lan: lan, .lanHost: lanHost, .lanControl: lanControl,
      .authPort: authPort, .firestorePort: firestorePort,
      .consolePort: consolePort, .unsignedAuthPort: unsignedAuthPort, .tokens: tokens,
      .profile: profile, .data: data, .logLevel: logLevel,
      .singleProjectMode: singleProjectMode,
      .hubPort: hubPort, .smtpPort: smtpPort, .smtpTLSPort: smtpTLSPort, .mailAPIPort: mailAPIPort,
      .tls: tls, .tlsCertificate: tlsCert, .tlsKey: tlsKey, .asGoogle: asGoogle,
      .tlsPort: tlsPort, .proxyPort: proxyPort, .metadataPort: metadataPort,
      .trustDirectory: trustOut, .trustDays: trustDays, .triggerRetries: triggerRetries,
      .functionsAddress: functionsEmulator, .importPath: importPath,
      .exportDirectory: exportOnExit, .exportBelow: allowExportBelow,
      .readablePasswords: exportReadablePasswords,
      .indexes: indexes, .writeIndexes: writeIndexes,
      .rules: rules, .rulesBudget: rulesBudget.map(String.init),
      .snapshotLimit: snapshotLimit.map(String.init), .smtpRelay: smtpRelay,
      .mailboxLimit: mailboxLimit.map(String.init),
      .serviceAccount: serviceAccount, .acceptAnyServiceAccount: acceptAnyServiceAccount,
      .publicURL: publicURL,
    ]
    var values = given.compactMapValues { $0.map { [$0] } }
    if !authDomains.isEmpty { values[.authDomains] = authDomains }
    if !dialects.isEmpty { values[.dialects] = dialects }
    if !triggerEmail.isEmpty { values[.triggerEmail] = triggerEmail }
    if !relayRecipients.isEmpty { values[.relayRecipients] = relayRecipients }
    if !seeds.isEmpty { values[.seeds] = seeds }
    if !idpKeys.isEmpty { values[.idpKeys] = idpKeys }
    if !allowedHosts.isEmpty { values[.allowedHosts] = allowedHosts }
    if !allowedWebhookHosts.isEmpty { values[.allowedWebhookHosts] = allowedWebhookHosts }
    return Configuration.Settings(values) { "--" + $0.flag }
  }
}

extension Option {
  fileprivate typealias Setting = Configuration.Setting

  /// The flag of a setting.
  fileprivate init(_ setting: Setting) where Value == String? {
    self.init(name: setting.name, help: setting.help)
  }

  /// The flag of a setting that stands for a value when it has none.
  fileprivate init(_ setting: Setting, flag value: String) where Value == String? {
    self.init(name: setting.name, defaultAsFlag: value, help: setting.help)
  }

  fileprivate init(_ setting: Setting) where Value == Int? {
    self.init(name: setting.name, help: setting.help)
  }

  fileprivate init(_ setting: Setting) where Value == [String] {
    self.init(wrappedValue: [], name: setting.name, help: setting.help)
  }
}

extension Configuration.Setting {
  fileprivate var name: NameSpecification { .customLong(flag) }
  fileprivate var help: ArgumentHelp { ArgumentHelp(stringLiteral: text.help) }
}
