import ArgumentParser
import HearthServer
import HearthSettings

/// The flags of every command that starts a server. Each has an environment variable `HEARTH_…`;
/// a flag wins over the variable, that over `firebase.json`, and that over the default.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(Configuration.helpOfConfig, valueName: "file"),
    completion: .file(extensions: ["json"]))
  var config: String?

  @OptionGroup(title: "General") private var general: SettingFlags<FlagSections.General>
  @OptionGroup(title: "Ports and addresses") private var ports: SettingFlags<FlagSections.Ports>
  @OptionGroup(title: "Initial and saved data")
  private var content: SettingFlags<FlagSections.Content>
  @OptionGroup(title: "Firestore") private var firestore: SettingFlags<FlagSections.Firestore>
  @OptionGroup(title: "Mail") private var mail: SettingFlags<FlagSections.Mail>
  @OptionGroup(title: "Functions, webhooks and other back ends")
  private var backEnds: SettingFlags<FlagSections.BackEnds>
  @OptionGroup(title: "Phones on the local network")
  private var network: SettingFlags<FlagSections.Network>
  @OptionGroup(title: "TLS, and Google's hosts") private var tls: SettingFlags<FlagSections.TLS>

  /// The value of a flag; nil where it was not given.
  subscript(setting: Configuration.Setting) -> String? { values[setting]?.first }

  /// The settings that all sources together make. Some values may count in place of those of flags.
  func configuration(
    replacing replaced: [Configuration.Setting: String] = [:]
  ) throws -> Configuration {
    let values = values.merging(replaced.mapValues { [$0] }) { $1 }
    return try Configuration(flags: Configuration.Settings(flags: values), file: config)
  }

  private var values: [Configuration.Setting: [String]] {
    [
      general.values, ports.values, content.values, firestore.values, mail.values, backEnds.values,
      network.values, tls.values,
    ].reduce(into: [:]) { all, values in all.merge(values) { $1 } }
  }
}
