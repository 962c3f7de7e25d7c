import HearthExports
import HearthTokens

extension Configuration {
  /// Takes over a setting about TLS or Google's hosts.
  mutating func setTLS(
    _ setting: Setting, values: [String], source: String
  ) throws(ConfigurationError) {
    let value = values.first ?? ""
    switch setting {
    case .tls: usesTLS = try Self.flag(value, source: source)
    case .tlsCertificate: tlsCertificate = value
    case .tlsKey: tlsKey = value
    // A program that takes a server for Google has the variable with 1, and may start one of its own.
    case .asGoogle: if value != "1" { asGoogle = try Self.flag(value, source: source) }
    case .tlsPort: tlsPort = try Self.port(value, source: source)
    case .proxyPort: proxyPort = try Self.optionalPort(value, source: source)
    case .metadataPort: metadataPort = try Self.optionalPort(value, source: source)
    case .authDomains: authDomains = Self.names(values)
    // Its path is written in files that are read from other folders.
    case .trustDirectory: trustDirectory = Directories.absolute(value)
    case .trustDays:
      guard let days = Int(value), (1...30).contains(days) else {
        throw ConfigurationError(value, in: source, expected: "a number of days, from 1 to 30")
      }
      trustDays = days
    default: break
    }
  }

  /// Settings that need another one.
  package func checkTLS() throws(ConfigurationError) {
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ConfigurationError(misuse: "--tls-cert and --tls-key need each other")
    }
    guard tlsCertificate == nil || usesTLS else {
      throw ConfigurationError(misuse: "--tls-cert needs --tls")
    }
    guard !asGoogle else {
      // What is unsigned counts for nothing there.
      guard tokens != .none, unsignedAuthPort == nil else {
        let flag = tokens == .none ? "--tokens none" : "--unsigned-auth-port"
        throw ConfigurationError(misuse: "\(flag) cannot be combined with --as-google")
      }
      return
    }
    guard trustDays == 1 || offersAuthorityToPhones else {
      throw ConfigurationError(misuse: "--trust-days needs --as-google, or --lan with --tls")
    }
    let needs = [
      ("--proxy-port", proxyPort != nil), ("--metadata-port", metadataPort != nil),
      ("--trust-out", trustDirectory != nil),
    ]
    for (flag, isGiven) in needs where isGiven {
      throw ConfigurationError(misuse: "\(flag) needs --as-google")
    }
  }
}
