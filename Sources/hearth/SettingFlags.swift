import ArgumentParser
import HearthSettings

/// The flags of the settings in a section of the help.
///
/// ArgumentParser finds the flags of a type among the children of its mirror, and gives their values
/// to the type's decoder. Mostly both are stored properties; here they are rows of the table of
/// settings, so that a setting is declared once.
struct SettingFlags<Section: FlagSection>: ParsableArguments, CustomReflectable {
  /// The values that were given. Those of settings without one are missing.
  private(set) var values: [Configuration.Setting: [String]] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FlagKey.self)
    for flag in Self.flags {
      let given: [String]
      if flag.isList {
        given = try container.decode(Option<[String]>.self, forKey: flag.key).wrappedValue
      } else {
        let value = try container.decode(Option<String?>.self, forKey: flag.key).wrappedValue
        given = value.map { [$0] } ?? []
      }
      if !given.isEmpty { values[flag.setting, default: []] += given }
    }
  }

  var customMirror: Mirror {
    Mirror(self, children: Self.flags.map { (label: $0.key.stringValue, value: $0.option) })
  }

  private static var flags: [SettingFlag] {
    Configuration.Setting.allCases.flatMap { setting -> [SettingFlag] in
      let row = setting.row
      guard row.section == Section.section else { return [] }
      return [SettingFlag(setting, row: row)]
        + (setting.earlierFlag.map { [SettingFlag($0, earlierNameOf: setting, row: row)] } ?? [])
    }
  }
}

/// A flag of a setting, as ArgumentParser has it.
private struct SettingFlag {
  let setting: Configuration.Setting
  let key: FlagKey
  let isList: Bool
  /// An `Option`.
  let option: Any

  init(_ setting: Configuration.Setting, row: Configuration.SettingRow) {
    self.init(
      setting, flag: setting.flag, reading: row.reading,
      help: ArgumentHelp(row.help, valueName: row.reading.kind.name),
      completion: row.reading.kind.completion)
  }

  /// The flag that a setting had before. It is not shown.
  init(
    _ flag: String, earlierNameOf setting: Configuration.Setting, row: Configuration.SettingRow
  ) {
    self.init(setting, flag: flag, reading: row.reading, help: .hidden, completion: nil)
  }

  private init(
    _ setting: Configuration.Setting, flag: String, reading: SettingReading, help: ArgumentHelp,
    completion: CompletionKind?
  ) {
    self.setting = setting
    key = FlagKey(stringValue: flag)
    isList = reading.isList
    let name = NameSpecification.customLong(flag)
    if isList {
      option = Option<[String]>(wrappedValue: [], name: name, help: help, completion: completion)
    } else if let value = reading.withoutValue {
      option = Option<String?>(
        name: name, defaultAsFlag: value, help: help, completion: completion)
    } else {
      option = Option<String?>(name: name, help: help, completion: completion)
    }
  }
}

/// The name of a flag.
private struct FlagKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}

extension SettingReading.Kind {
  /// What a shell offers for the value.
  fileprivate var completion: CompletionKind {
    switch self {
    case .file: .file()
    case .directory: .directory
    case .choice(let values, _): .list(values)
    case .text: .default
    }
  }
}

/// A section of the help. ArgumentParser asks types for flags, so each section is a type.
protocol FlagSection: Sendable {
  static var section: Configuration.SettingSection { get }
}

enum FlagSections {
  enum General: FlagSection { static let section = Configuration.SettingSection.general }
  enum Ports: FlagSection { static let section = Configuration.SettingSection.ports }
  enum Content: FlagSection { static let section = Configuration.SettingSection.content }
  enum Firestore: FlagSection { static let section = Configuration.SettingSection.firestore }
  enum Mail: FlagSection { static let section = Configuration.SettingSection.mail }
  enum BackEnds: FlagSection { static let section = Configuration.SettingSection.backEnds }
  enum Network: FlagSection { static let section = Configuration.SettingSection.network }
  enum TLS: FlagSection { static let section = Configuration.SettingSection.tls }
}
