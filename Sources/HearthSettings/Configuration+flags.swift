#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// The settings that all sources together make: a flag wins over its variable, that over
  /// `firebase.json`, and that over the default. Where no file is named, the nearest counts.
  package init(
    flags: Settings, file: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    directory: String = FileManager.default.currentDirectoryPath
  ) throws(ConfigurationError) {
    self.init()
    try applyFirebaseJSON(file, in: directory)
    try apply(Settings(environment: environment))
    try apply(flags)
    try settleExports(in: directory)
    try settleSharing(environment: environment)
  }
}

extension Configuration.Settings {
  package init(flags values: [Configuration.Setting: [String]]) {
    self.init(values) { "--" + $0.flag }
  }

  /// The flags of a server, where the arguments are nothing else: `--name value` and `--name=value`.
  ///
  /// That is how servers are mostly started. ArgumentParser finds commands and flags by reflection,
  /// which costs a third of a start. It reads whatever is not understood here, and says what is wrong
  /// with it.
  package init?(plainFlags arguments: [String]) {
    let settings = Dictionary(
      uniqueKeysWithValues: Configuration.Setting.allCases.map { ($0.flag, $0) })
    var values: [Configuration.Setting: [String]] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else { return nil }
      let parts = argument.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first, let setting = settings[String(name)] else { return nil }
      let reading = setting.row.reading
      // A word that begins with a hyphen is taken for a flag, not for a value.
      let hasNext = rest.first.map { !$0.hasPrefix("-") } ?? false
      let value: String
      switch (parts.count, hasNext, reading.withoutValue) {
      case (2, _, _): value = String(parts[1])
      case (_, true, nil): value = rest.removeFirst()
      case (_, false, let standard?): value = standard
      default: return nil
      }
      guard reading.isList || values[setting] == nil else { return nil }
      values[setting, default: []].append(value)
    }
    self.init(flags: values)
  }
}
