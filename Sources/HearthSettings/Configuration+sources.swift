import HearthOperations
import HearthTransport
import HearthWire
import Logging

extension Configuration {
  /// Settings as text, by name: what the environment holds, and what the command line does.
  package struct Settings: Sendable {
    package let source: @Sendable (Setting) -> String
    /// One value each, but for lists.
    package let values: [Setting: [String]]
    /// What to say of names that look like settings and are none.
    let unknownNames: [String]

    package init(_ values: [Setting: [String]], source: @escaping @Sendable (Setting) -> String) {
      self.values = values
      self.source = source
      unknownNames = []
    }

    /// The settings that the environment holds, each as `HEARTH_…`; a list with commas.
    package init(environment: [String: String]) {
      values = Dictionary(
        uniqueKeysWithValues: Setting.allCases.compactMap { setting in
          let text =
            environment[setting.environmentName].nonEmpty
            ?? setting.earlierEnvironmentName.flatMap { environment[$0].nonEmpty }
          return text.map {
            (setting, setting.row.reading.isList ? $0.split(separator: ",").map(String.init) : [$0])
          }
        })
      source = { $0.environmentName }
      unknownNames = Configuration.unknownVariables(in: environment)
    }
  }

  /// Takes over what the settings hold; later calls win.
  package mutating func apply(_ settings: Settings) throws(ConfigurationError) {
    unknownNames += settings.unknownNames
    for setting in Setting.allCases {
      guard let values = settings.values[setting] else { continue }
      // A shell's variable that is not set. Only the export has a meaning without a value.
      let given = GivenSetting(values: values, source: settings.source(setting))
      guard values.first?.isEmpty != true || setting == .exportDirectory else {
        throw ConfigurationError(misuse: "\(given.source): the value is empty")
      }
      try setting.row.reading.take(&self, given)
    }
    if settings.values[.project] != nil {
      settleDatabases()
      try readTriggerEmail()
    }
  }

  /// What the user names is not to be replaced by something else.
  mutating func setHost(_ host: String) {
    self.host = host
    unusedHosts = nil
  }

  mutating func setConsolePort(_ port: Int?) {
    consolePort = port
    consoleMayMove = false
  }

  /// The names, which may stand in one value with commas between them.
  package static func names(_ values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",") }.map { String($0.filter { $0 != " " }) }
  }

  /// - Returns: nil for `none`.
  static func optionalPort(
    _ text: String, source: String
  ) throws(ConfigurationError) -> Int? {
    text == "none" ? nil : try port(text, source: source)
  }

  package static func port(_ text: String, source: String) throws(ConfigurationError) -> Int {
    guard let port = UInt16(text) else {
      throw ConfigurationError(text, in: source, expected: "a port number (0 to 65535)")
    }
    return Int(port)
  }

  /// The parts of `host:port`, where an IPv6 address is in brackets; nil for anything else.
  package static func hostAndPort(_ address: String) -> (host: String, port: Int)? {
    guard let colon = address.lastIndex(of: ":"),
      let port = UInt16(address[address.index(after: colon)...]),
      port > 0
    else { return nil }
    var name = address[..<colon]
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    guard !name.isEmpty, address.hasPrefix("[") || !name.contains(":") else { return nil }
    return (String(name), Int(port))
  }

  static func projectID(_ text: String, source: String) throws(ConfigurationError) -> String {
    guard ProjectID.isUsable(text) else {
      throw ConfigurationError(text, in: source, expected: "a project id")
    }
    return text
  }

  package static func flag(_ text: String, source: String) throws(ConfigurationError) -> Bool {
    guard let flag = Bool(text) else {
      throw ConfigurationError(text, in: source, expected: "true or false")
    }
    return flag
  }
}
