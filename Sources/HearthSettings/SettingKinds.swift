import HearthOperations
import HearthTokens
import Logging

extension Configuration.Setting {
  /// What a value of a setting is, for help and completion.
  package enum ValueKind: Sendable {
    case file
    case directory
    /// One of a few words, and what the help calls them.
    case choice([String], String)
    /// Anything else, by what the help calls it.
    case text(String)

    package var name: String {
      switch self {
      case .file: "file"
      case .directory: "dir"
      case .choice(_, let name), .text(let name): name
      }
    }

    fileprivate static let flag = choice(["true", "false"], "true|false")

    fileprivate static func choice<Value: RawRepresentable<String> & CaseIterable>(
      of type: Value.Type, and others: String...
    ) -> ValueKind {
      let values = type.allCases.map(\.rawValue) + others
      return .choice(values, values.count > 4 ? "level" : values.joined(separator: "|"))
    }
  }

  package var valueKind: ValueKind {
    switch self {
    case .rules, .importPath, .seeds, .dialects, .tlsCertificate, .tlsKey, .serviceAccount,
      .operatorTokenFile:
      .file
    case .data, .exportDirectory, .trustDirectory, .exportBelow: .directory
    case .lan, .lanControl, .tls, .asGoogle, .writeIndexes, .readablePasswords,
      .acceptAnyServiceAccount, .requireToken:
      .flag
    case .profile: .choice(of: Switches.Profile.self)
    case .tokens: .choice(of: TokenMode.self)
    case .indexes: .choice(of: Switches.IndexMode.self, and: "report")
    case .appCheck: .choice(of: Switches.Enforcement.self, and: "check")
    case .logLevel: .choice(of: Logger.Level.self)
    case .singleProjectMode: .choice(of: SingleProjectMode.self)
    case .authPort, .firestorePort, .consolePort, .hubPort, .smtpPort, .smtpTLSPort, .mailAPIPort,
      .unsignedAuthPort, .tlsPort, .proxyPort, .metadataPort:
      .text("port")
    case .project: .text("id")
    case .host: .text("address")
    case .lanHost, .allowedHosts, .allowedCallHosts: .text("host")
    case .authDomains: .text("domain")
    case .relayRecipients: .text("address")
    case .smtpRelay, .functionsAddress: .text("host:port")
    case .publicURL: .text("url")
    case .idpKeys: .text("issuer=file")
    case .triggerEmail: .text("collection")
    case .snapshotLimit, .mailboxLimit: .text("MB")
    case .trustDays: .text("days")
    case .rulesBudget, .triggerRetries: .text("number")
    }
  }
}
