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
            (setting, setting.isList ? $0.split(separator: ",").map(String.init) : [$0])
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
      guard values.first?.isEmpty != true || setting == .exportDirectory else {
        throw ConfigurationError(misuse: "\(settings.source(setting)): the value is empty")
      }
      try set(setting, values: values, source: settings.source(setting))
    }
    if settings.values[.project] != nil {
      settleDatabases()
      try readTriggerEmail()
    }
  }

  private mutating func set(
    _ setting: Setting, values: [String], source: String
  ) throws(ConfigurationError) {
    let value = values.first ?? ""
    switch setting {
    case .project: project = try Self.projectID(projectAliases[value] ?? value, source: source)
    case .host, .consolePort: try setAddress(setting, value: value, source: source)
    case .authPort: authPort = try Self.port(value, source: source)
    case .firestorePort: firestorePort = try Self.port(value, source: source)
    case .hubPort: hubPort = try Self.optionalPort(value, source: source)
    case .smtpPort: smtpPort = try Self.optionalPort(value, source: source)
    case .smtpTLSPort: smtpTLSPort = try Self.optionalPort(value, source: source)
    case .mailAPIPort: mailAPIPort = try Self.optionalPort(value, source: source)
    case .unsignedAuthPort: unsignedAuthPort = try Self.port(value, source: source)
    case .lan, .lanHost, .lanControl: try setNetwork(setting, value: value, source: source)
    case .tls, .tlsCertificate, .tlsKey, .asGoogle, .tlsPort, .proxyPort, .authDomains,
      .metadataPort, .trustDirectory, .trustDays:
      try setTLS(setting, values: values, source: source)
    case .tokens: tokens = try Self.choice(value, source: source)
    case .profile: profile = try Self.choice(value, source: source)
    case .data: dataDirectory = value
    case .logLevel: logLevel = try Self.choice(value, source: source)
    case .singleProjectMode: singleProjectMode = try Self.choice(value, source: source)
    case .requireToken, .operatorTokenFile: try setSharing(setting, value: value, source: source)
    case .allowedHosts: allowedHosts = Self.names(values)
    case .rules: setRules(value)
    case .indexes: indexMode = try Self.choice(value, source: source)
    case .appCheck: appCheck = try Self.choice(value, source: source)
    case .writeIndexes: writesIndexFiles = try Self.flag(value, source: source)
    case .rulesBudget:
      rulesBudget = try Self.number(
        value, from: 1...Int.max, source: source, expected: "a number above 0")
    case .snapshotLimit:
      limits.snapshots = try Self.megabytes(value, most: 1_000_000, source: source)
    case .dialects: dialectPaths = values
    case .smtpRelay: smtpRelay = value
    case .mailboxLimit: limits.mailbox = try Self.megabytes(value, most: 100_000, source: source)
    case .triggerEmail: try setTriggerEmail(Self.names(values), source: source)
    case .relayRecipients: relayRecipients = Self.names(values)
    case .functionsAddress:
      guard Self.hostAndPort(value) != nil else {
        throw ConfigurationError(value, in: source, expected: "host:port")
      }
      functionsAddress = value
    case .triggerRetries:
      triggerRetries = try Self.number(
        value, from: 0...10, source: source, expected: "a number from 0 to 10")
    case .allowedCallHosts: allowedCallHosts = Self.names(values)
    case .importPath: importPath = value
    case .exportDirectory: exportDirectory = value
    case .exportBelow: exportBelow = value
    case .seeds: seedPaths = values
    case .readablePasswords: exportsReadablePasswords = try Self.flag(value, source: source)
    case .serviceAccount, .acceptAnyServiceAccount, .publicURL, .idpKeys:
      try setCredentials(setting, values: values, source: source)
    }
  }

  private static func number(
    _ text: String, from range: ClosedRange<Int>, source: String, expected: String
  ) throws(ConfigurationError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw ConfigurationError(text, in: source, expected: expected)
    }
    return number
  }

  /// What the user names is not to be replaced by something else.
  private mutating func setAddress(
    _ setting: Setting, value: String, source: String
  ) throws(ConfigurationError) {
    switch setting {
    case .host:
      host = value
      unusedHosts = nil
    case .consolePort:
      consolePort = try Self.optionalPort(value, source: source)
      consoleMayMove = false
    default: break
    }
  }

  private mutating func setNetwork(
    _ setting: Setting, value: String, source: String
  ) throws(ConfigurationError) {
    switch setting {
    case .lan: usesLocalNetwork = try Self.flag(value, source: source)
    case .lanHost: lanHost = value
    case .lanControl: opensControlToNetwork = try Self.flag(value, source: source)
    default: break
    }
  }

  private mutating func setCredentials(
    _ setting: Setting, values: [String], source: String
  ) throws(ConfigurationError) {
    let value = values.first ?? ""
    switch setting {
    case .serviceAccount: serviceAccountPath = value
    case .acceptAnyServiceAccount: acceptsAnyServiceAccount = try Self.flag(value, source: source)
    case .publicURL: publicURL = try Self.publicURL(value, source: source)
    case .idpKeys: idpKeys = values
    default: break
    }
  }

  /// The names, which may stand in one value with commas between them.
  package static func names(_ values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",") }.map { String($0.filter { $0 != " " }) }
  }

  /// - Returns: bytes.
  private static func megabytes(
    _ text: String, most: Int, source: String
  ) throws(ConfigurationError) -> Int {
    guard let megabytes = Int(text), (1...most).contains(megabytes) else {
      throw ConfigurationError(text, in: source, expected: "megabytes, from 1 to \(most)")
    }
    return megabytes << 20
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

  /// - Returns: the address without a slash at its end.
  private static func publicURL(
    _ text: String, source: String
  ) throws(ConfigurationError) -> String {
    guard let url = WebURL(text), ["http", "https"].contains(url.scheme), url.query == nil else {
      throw ConfigurationError(text, in: source, expected: "an http or https URL")
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  package static func flag(_ text: String, source: String) throws(ConfigurationError) -> Bool {
    guard let flag = Bool(text) else {
      throw ConfigurationError(text, in: source, expected: "true or false")
    }
    return flag
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String, source: String
  ) throws(ConfigurationError) -> Value {
    guard let value = Value(rawValue: text) else {
      let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw ConfigurationError(text, in: source, expected: "one of \(choices)")
    }
    return value
  }
}
