import HearthTokens

extension Configuration {
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
