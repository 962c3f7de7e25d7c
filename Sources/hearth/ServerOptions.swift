import ArgumentParser
import HearthServer
import HearthSettings

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The flags of every command that starts a server. Each has an environment variable `HEARTH_…`;
/// a flag wins over the variable, that over `firebase.json`, and that over the default.
struct ServerOptions: ParsableArguments {
  @OptionGroup(title: "General") var general: GeneralOptions
  @OptionGroup(title: "Ports and addresses") var ports: PortOptions
  @OptionGroup(title: "Initial and saved data") var content: ContentOptions
  @OptionGroup(title: "Firestore") var firestore: FirestoreOptions
  @OptionGroup(title: "Mail") var mail: MailOptions
  @OptionGroup(title: "Functions, webhooks and other back ends") var triggers: TriggerOptions
  @OptionGroup(title: "Phones on the local network") var network: NetworkOptions
  @OptionGroup(title: "TLS, and Google's hosts") var tls: TLSOptions

  /// The settings that all sources together make.
  func configuration(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    directory: String = FileManager.default.currentDirectoryPath
  ) throws -> Configuration {
    var configuration = Configuration()
    try configuration.applyFirebaseJSON(general.config, in: directory)
    try configuration.apply(Configuration.Settings(environment: environment))
    try configuration.apply(flags)
    try configuration.settleExports(in: directory)
    try configuration.settleSharing(environment: environment)
    return configuration
  }

  private var flags: Configuration.Settings {
    let groups: [any SettingOptions] = [
      general, ports, content, firestore, mail, triggers, network, tls,
    ]
    var values: [Configuration.Setting: [String]] = [:]
    for (setting, given) in groups.flatMap(\.given) {
      if let given, !given.isEmpty { values[setting] = given }
    }
    return Configuration.Settings(values) { "--" + $0.flag }
  }
}
