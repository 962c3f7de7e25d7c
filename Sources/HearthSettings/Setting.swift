extension Configuration {
  /// What can be set for a server: each has a flag, an environment variable, and a row of the table.
  package enum Setting: String, Sendable, CaseIterable {
    case project
    case host
    case lan
    case lanHost = "lan-host"
    case lanControl = "lan-control"
    case authPort = "auth-port"
    case firestorePort = "firestore-port"
    case consolePort = "console-port"
    case hubPort = "hub-port"
    case smtpPort = "smtp-port"
    case smtpTLSPort = "smtp-tls-port"
    case mailAPIPort = "mail-api-port"
    case unsignedAuthPort = "unsigned-auth-port"
    case tls
    case tlsCertificate = "tls-cert"
    case tlsKey = "tls-key"
    case asGoogle = "as-google"
    case tlsPort = "tls-port"
    case proxyPort = "proxy-port"
    case metadataPort = "metadata-port"
    case authDomains = "auth-domain"
    case trustDirectory = "trust-out"
    case trustDays = "trust-days"
    case tokens
    case profile
    case data
    case logLevel = "log-level"
    case singleProjectMode = "single-project-mode"
    case requireToken = "require-token"
    case operatorTokenFile = "operator-token-file"
    case allowedHosts = "allowed-hosts"
    case rules
    case rulesBudget = "rules-budget"
    case indexes
    case writeIndexes = "write-indexes"
    case appCheck = "app-check"
    case snapshotLimit = "snapshot-limit"
    case dialects = "dialect"
    case smtpRelay = "smtp-relay"
    case mailboxLimit = "mailbox-limit"
    case triggerEmail = "trigger-email"
    case relayRecipients = "smtp-relay-to"
    case functionsAddress = "functions-emulator"
    case triggerRetries = "trigger-retries"
    case allowedCallHosts = "allow-calls-to"
    case importPath = "import"
    case exportDirectory = "export-on-exit"
    case seeds = "seed"
    case exportBelow = "allow-export-below"
    case readablePasswords = "export-readable-passwords"
    case serviceAccount = "service-account"
    case acceptAnyServiceAccount = "accept-any-service-account"
    case publicURL = "public-url"
    case idpKeys = "idp-keys"

    /// The flag without its hyphens. A list's flag is given once for each value.
    package var flag: String { row.flag ?? rawValue }

    package var environmentName: String { Self.environmentName(of: rawValue) }

    /// The flag that it had before, which still counts.
    package var earlierFlag: String? { row.earlierFlag }

    var earlierEnvironmentName: String? { earlierFlag.map(Self.environmentName) }

    private static func environmentName(of text: String) -> String {
      "HEARTH_" + text.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
  }

  /// One declaration of a setting.
  package struct SettingRow: Sendable {
    /// Where the help shows the flag.
    package let section: SettingSection
    package let reading: SettingReading
    /// One sentence.
    package let summary: String
    /// Nil for none.
    package let standard: String?
    /// The member of `firebase.json` that sets it.
    package let member: String?
    /// What only the guide says, as Markdown.
    package let note: String
    /// Nil for the name of the setting.
    let flag: String?
    let earlierFlag: String?

    init(
      _ section: SettingSection, _ reading: SettingReading, _ summary: String,
      standard: String? = nil, member: String? = nil, note: String = "", flag: String? = nil,
      earlierFlag: String? = nil
    ) {
      self.section = section
      self.reading = reading
      self.summary = summary
      self.standard = standard
      self.member = member
      self.note = note
      self.flag = flag
      self.earlierFlag = earlierFlag
    }

    /// For the help of a command.
    package var help: String { Configuration.help(summary, standard: standard) }
  }

  /// The parts of the help.
  package enum SettingSection: Sendable {
    case general, ports, content, firestore, mail, backEnds, network, tls
  }

  fileprivate static func help(_ summary: String, standard: String?) -> String {
    standard.map { "\(summary) (default: \($0))" } ?? summary
  }

  private static let config = (
    summary: "The firebase.json to read.", standard: "the nearest, here or above"
  )

  /// The help of `--config`, which has no variable: the file to read cannot stand in a source that it
  /// precedes.
  package static let helpOfConfig = help(config.summary, standard: config.standard)

  /// The table of the guide.
  package static var settingsTable: String {
    let rows = Setting.allCases.map { setting in
      let row = setting.row
      return line(
        setting.flag, variable: setting.environmentName, member: row.member, standard: row.standard,
        remark: [String(row.summary.dropLast()), row.note])
    }
    let head = ["| flag | variable | `firebase.json` | default | |", "|---|---|---|---|---|"]
    let last = line(
      "config", standard: config.standard, remark: [String(config.summary.dropLast())])
    return (head + rows + [last]).joined(separator: "\n")
  }

  private static func line(
    _ flag: String, variable: String? = nil, member: String? = nil, standard: String?,
    remark: [String]
  ) -> String {
    func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "" }
    let cells = [
      "`--\(flag)`", code(variable), code(member),
      standard.map { $0.contains(" ") ? $0 : code($0) } ?? "none",
      remark.filter { !$0.isEmpty }.joined(separator: "; "),
    ]
    return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }
}
