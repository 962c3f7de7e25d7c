import ArgumentParser
import HearthServer
import HearthSettings

/// Flags of a server that the help shows together.
protocol SettingOptions: ParsableArguments {
  /// The values that were given, by their settings; those of other settings are nil or empty.
  var given: [Configuration.Setting: [String]?] { get }
}

struct GeneralOptions: SettingOptions {
  @Option(.project) var project: String?
  @Option(
    help: ArgumentHelp(stringLiteral: Configuration.configFile.help).named("file"),
    completion: .file(extensions: ["json"]))
  var config: String?
  @Option(.data) var data: String?
  @Option(.profile) var profile: String?
  @Option(.tokens) var tokens: String?
  @Option(.logLevel) var logLevel: String?
  @Option(.singleProjectMode) var singleProjectMode: String?
  @Option(.requireToken, flag: "true") var requireToken: String?
  @Option(.operatorTokenFile) var operatorTokenFile: String?
  @Option(.appCheck) var appCheck: String?
  @Option(.snapshotLimit) var snapshotLimit: Int?

  var given: [Configuration.Setting: [String]?] {
    [
      .project: project.map { [$0] }, .data: data.map { [$0] }, .profile: profile.map { [$0] },
      .tokens: tokens.map { [$0] }, .logLevel: logLevel.map { [$0] },
      .singleProjectMode: singleProjectMode.map { [$0] },
      .requireToken: requireToken.map { [$0] },
      .operatorTokenFile: operatorTokenFile.map { [$0] },
      .appCheck: appCheck.map { [$0] },
      .snapshotLimit: snapshotLimit.map { [String($0)] },
    ]
  }
}

struct PortOptions: SettingOptions {
  @Option(.host) var host: String?
  @Option(.authPort) var authPort: String?
  @Option(.firestorePort) var firestorePort: String?
  @Option(.consolePort) var consolePort: String?
  @Option(.hubPort) var hubPort: String?
  @Option(.unsignedAuthPort) var unsignedAuthPort: String?
  @Option(.allowedHosts) var allowedHosts: [String]

  var given: [Configuration.Setting: [String]?] {
    [
      .host: host.map { [$0] }, .authPort: authPort.map { [$0] },
      .firestorePort: firestorePort.map { [$0] }, .consolePort: consolePort.map { [$0] },
      .hubPort: hubPort.map { [$0] }, .unsignedAuthPort: unsignedAuthPort.map { [$0] },
      .allowedHosts: allowedHosts,
    ]
  }
}

struct ContentOptions: SettingOptions {
  @Option(.importPath) var importPath: String?
  @Option(.seeds) var seeds: [String]
  @Option(.exportDirectory, flag: "") var exportOnExit: String?
  @Option(.readablePasswords, flag: "true") var exportReadablePasswords: String?
  @Option(.exportBelow) var allowExportBelow: String?

  var given: [Configuration.Setting: [String]?] {
    [
      .importPath: importPath.map { [$0] }, .seeds: seeds,
      .exportDirectory: exportOnExit.map { [$0] },
      .readablePasswords: exportReadablePasswords.map { [$0] },
      .exportBelow: allowExportBelow.map { [$0] },
    ]
  }
}

struct FirestoreOptions: SettingOptions {
  @Option(.rules) var rules: String?
  @Option(.rulesBudget) var rulesBudget: Int?
  @Option(.indexes) var indexes: String?
  @Option(.writeIndexes, flag: "true") var writeIndexes: String?

  var given: [Configuration.Setting: [String]?] {
    [
      .rules: rules.map { [$0] }, .rulesBudget: rulesBudget.map { [String($0)] },
      .indexes: indexes.map { [$0] }, .writeIndexes: writeIndexes.map { [$0] },
    ]
  }
}

struct MailOptions: SettingOptions {
  @Option(.smtpPort) var smtpPort: String?
  @Option(.smtpTLSPort) var smtpTLSPort: String?
  @Option(.mailAPIPort) var mailAPIPort: String?
  @Option(.smtpRelay) var smtpRelay: String?
  @Option(.relayRecipients) var relayRecipients: [String]
  @Option(.mailboxLimit) var mailboxLimit: Int?
  @Option(.triggerEmail) var triggerEmail: [String]

  var given: [Configuration.Setting: [String]?] {
    [
      .smtpPort: smtpPort.map { [$0] }, .smtpTLSPort: smtpTLSPort.map { [$0] },
      .mailAPIPort: mailAPIPort.map { [$0] }, .smtpRelay: smtpRelay.map { [$0] },
      .relayRecipients: relayRecipients, .mailboxLimit: mailboxLimit.map { [String($0)] },
      .triggerEmail: triggerEmail,
    ]
  }
}

struct TriggerOptions: SettingOptions {
  @Option(.functionsAddress) var functionsEmulator: String?
  @Option(.triggerRetries) var triggerRetries: String?
  @Option(.allowedCallHosts) var allowedCallHosts: [String]
  @Option(earlierNameOf: .allowedCallHosts) var allowedWebhookHosts: [String]
  @Option(.dialects) var dialects: [String]
  @Option(.serviceAccount) var serviceAccount: String?
  @Option(.acceptAnyServiceAccount, flag: "true") var acceptAnyServiceAccount: String?
  @Option(.idpKeys) var idpKeys: [String]

  var given: [Configuration.Setting: [String]?] {
    [
      .functionsAddress: functionsEmulator.map { [$0] },
      .triggerRetries: triggerRetries.map { [$0] },
      .allowedCallHosts: allowedCallHosts + allowedWebhookHosts,
      .dialects: dialects, .serviceAccount: serviceAccount.map { [$0] },
      .acceptAnyServiceAccount: acceptAnyServiceAccount.map { [$0] }, .idpKeys: idpKeys,
    ]
  }
}

struct NetworkOptions: SettingOptions {
  @Option(.lan, flag: "true") var lan: String?
  @Option(.lanHost) var lanHost: String?
  @Option(.lanControl, flag: "true") var lanControl: String?

  var given: [Configuration.Setting: [String]?] {
    [
      .lan: lan.map { [$0] }, .lanHost: lanHost.map { [$0] }, .lanControl: lanControl.map { [$0] },
    ]
  }
}

struct TLSOptions: SettingOptions {
  @Option(.tls, flag: "true") var tls: String?
  @Option(.tlsCertificate) var tlsCert: String?
  @Option(.tlsKey) var tlsKey: String?
  @Option(.asGoogle, flag: "true") var asGoogle: String?
  @Option(.tlsPort) var tlsPort: String?
  @Option(.proxyPort) var proxyPort: String?
  @Option(.metadataPort) var metadataPort: String?
  @Option(.authDomains) var authDomains: [String]
  @Option(.publicURL) var publicURL: String?
  @Option(.trustDirectory) var trustOut: String?
  @Option(.trustDays) var trustDays: String?

  var given: [Configuration.Setting: [String]?] {
    [
      .tls: tls.map { [$0] }, .tlsCertificate: tlsCert.map { [$0] }, .tlsKey: tlsKey.map { [$0] },
      .asGoogle: asGoogle.map { [$0] }, .tlsPort: tlsPort.map { [$0] },
      .proxyPort: proxyPort.map { [$0] }, .metadataPort: metadataPort.map { [$0] },
      .authDomains: authDomains, .publicURL: publicURL.map { [$0] },
      .trustDirectory: trustOut.map { [$0] }, .trustDays: trustDays.map { [$0] },
    ]
  }
}

extension Option {
  fileprivate typealias Setting = Configuration.Setting

  /// The flag of a setting.
  fileprivate init(_ setting: Setting) where Value == String? {
    self.init(name: setting.name, help: setting.help, completion: setting.completion)
  }

  /// The flag of a setting that stands for a value when it has none.
  fileprivate init(_ setting: Setting, flag value: String) where Value == String? {
    self.init(
      name: setting.name, defaultAsFlag: value, help: setting.help, completion: setting.completion)
  }

  fileprivate init(_ setting: Setting) where Value == Int? {
    self.init(name: setting.name, help: setting.help, completion: setting.completion)
  }

  fileprivate init(_ setting: Setting) where Value == [String] {
    self.init(
      wrappedValue: [], name: setting.name, help: setting.help, completion: setting.completion)
  }

  /// The flag that a setting had before. It is not shown.
  fileprivate init(earlierNameOf setting: Setting) where Value == [String] {
    self.init(wrappedValue: [], name: setting.earlierName, help: .hidden)
  }
}

extension Configuration.Setting {
  fileprivate var name: NameSpecification { .customLong(flag) }

  fileprivate var earlierName: NameSpecification { .customLong(earlierFlag ?? flag) }

  fileprivate var help: ArgumentHelp {
    ArgumentHelp(stringLiteral: text.help).named(valueKind.name)
  }

  /// What a shell offers for the value.
  fileprivate var completion: CompletionKind {
    switch valueKind {
    case .file: .file()
    case .directory: .directory
    case .choice(let values, _): .list(values)
    case .text: .default
    }
  }
}

extension ArgumentHelp {
  fileprivate func named(_ name: String) -> ArgumentHelp {
    var help = self
    help.valueName = name
    return help
  }
}
