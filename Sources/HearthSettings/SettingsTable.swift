/// The table of settings: the flags with their help, the variables, the members of `firebase.json`
/// and the guide's page are made of it.
extension Configuration {
  /// One row for each setting that has a flag and an environment variable.
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

    package var isList: Bool {
      [
        .authDomains, .dialects, .allowedHosts, .allowedCallHosts, .idpKeys, .relayRecipients,
        .seeds,
        .triggerEmail,
      ].contains(self)
    }

    /// The flag without its hyphens. A list's flag is given once for each value.
    package var flag: String { self == .allowedHosts ? "allowed-host" : rawValue }

    package var environmentName: String { Self.environmentName(of: rawValue) }

    /// The flag that it had before, which still counts.
    package var earlierFlag: String? {
      self == .allowedCallHosts ? "allow-webhooks-to" : nil
    }

    var earlierEnvironmentName: String? { earlierFlag.map(Self.environmentName) }

    private static func environmentName(of text: String) -> String {
      "HEARTH_" + text.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
  }

  /// What is written about a setting.
  package struct SettingText: Sendable {
    /// One sentence.
    package let summary: String
    /// Nil for none.
    package let standard: String?
    /// The member of `firebase.json` that sets it.
    package let member: String?
    /// What only the guide says, as Markdown.
    package let note: String

    fileprivate init(
      _ summary: String, standard: String? = nil, member: String? = nil, note: String = ""
    ) {
      self.summary = summary
      self.standard = standard
      self.member = member
      self.note = note
    }

    /// For the help of a command.
    package var help: String {
      standard.map { "\(summary) (default: \($0))" } ?? summary
    }
  }

  /// `--config`, which has no variable: the file to read cannot stand in a source that it precedes.
  package static let configFile = SettingText(
    "The firebase.json to read.", standard: "the nearest, here or above")
}

extension Configuration.Setting {
  package var text: Configuration.SettingText {
    switch self {
    case .project:
      .init(
        "The default project.", standard: Configuration.defaultProject,
        note: "also `projects.default` in `.firebaserc`")
    case .host:
      .init("The address to listen on.", standard: "127.0.0.1", member: "emulators.auth.host")
    case .lan:
      .init(
        "Let phones on the local network reach the ports of apps.", standard: "false",
        note: "see [Phones](Phones.md)")
    case .lanHost:
      .init(
        "The address for --lan, or a name of this machine such as mac.local.",
        standard: "the likeliest address")
    case .lanControl:
      .init(
        "Open the control endpoints to other machines too, with --lan.", standard: "false",
        note: "mailbox, faults, clock, console")
    case .authPort:
      .init(
        "The port of Auth; 0 takes a free one, as exec does.", standard: "9099",
        member: "emulators.auth.port", note: "so for every port")
    case .firestorePort:
      .init(
        "The port of Firestore; exec takes a free one.", standard: "8080",
        member: "emulators.firestore.port")
    case .consolePort:
      .init(
        "The port of the console, or none; exec takes a free one.", standard: "4000",
        member: "emulators.ui.port", note: "another one where the default is taken")
    case .hubPort:
      .init(
        "The port of the hub, or none; exec takes a free one.", standard: "4400",
        member: "emulators.hub.port",
        note: "another one where it is taken; see [The hub](Migrating.md#the-hub)")
    case .smtpPort:
      .init(
        "The port for mail over SMTP, or none; exec takes a free one.", standard: "1025",
        note: "without TLS; see [Mail over SMTP](SMTP.md)")
    case .smtpTLSPort:
      .init(
        "The port for mail over SMTP with STARTTLS, or none; exec takes a free one.",
        standard: "1587", note: "see [Mail over SMTP](SMTP.md)")
    case .mailAPIPort:
      .init(
        "The port of the mail providers' send APIs, or none; exec takes a free one.",
        standard: "1080",
        note: "none where it is taken; see [Send APIs](SendAPIs.md)")
    case .unsignedAuthPort:
      .init("A second port of Auth that issues unsigned tokens, for Admin Node.")
    case .tls, .tlsCertificate, .tlsKey, .asGoogle, .tlsPort, .proxyPort, .metadataPort,
      .authDomains, .trustDirectory, .trustDays:
      textOfTLS
    case .tokens:
      .init(
        "How tokens are signed: rs256 or none.", standard: "rs256",
        note: "the official emulator does not sign")
    case .profile:
      .init(
        "The initial values of the switches: emulator or production.", standard: "emulator",
        note: "see [Switches](#switches)")
    case .data:
      .init(
        "The directory for the database and the keys.", standard: "memory only",
        note: "memory holds up to 2 GB; see [Data files](Versions.md#data-files)")
    case .logLevel:
      .init("trace, debug, info, notice, warning, error or critical.", standard: "info")
    case .singleProjectMode:
      .init(
        "What to do with other projects: no-warning, warning or error.", standard: "warning",
        member: "emulators.singleProjectMode", note: "for Auth; in the file `true` or `false`")
    case .requireToken:
      .init(
        "Share the server: projects are opened with a token, and control calls need it.",
        standard: "false",
        note: "see [A shared server](SharedServer.md)")
    case .operatorTokenFile:
      .init(
        "A file with the token that opens projects, with --require-token.",
        standard: "one is made and printed",
        note: "or the token itself in `HEARTH_OPERATOR_TOKEN`")
    case .allowedHosts:
      .init(
        "A host name that the control endpoints answer to; may be repeated.",
        note: "besides loopback names; in the variable with commas")
    case .rules:
      .init(
        "A file of Firestore security rules.", standard: "the one of firebase.json",
        member: "firestore.rules",
        note: "see [Rules](Rules.md)")
    case .indexes:
      .init(
        "What happens to queries that miss an index: off, warn or enforce; for exec also report.",
        standard: "warn where firebase.json names a file of indexes",
        note: "enforce with `--profile production`; see [Indexes](Indexes.md)")
    case .writeIndexes:
      .init("Write indexes added in the console to firestore.indexes.json.")
    case .appCheck:
      .init(
        "What happens to calls without App Check: off, monitor or enforce; for exec also check.",
        note: "`off` at first; Auth and Firestore; see [App Check](AppCheck.md)")
    case .rulesBudget:
      .init(
        """
        What the rules of one request may cost: a unit is about 100 ns of work or a byte of a value.
        """, standard: "10000000")
    case .snapshotLimit:
      .init(
        "The most megabytes that the snapshots of all projects may hold.", standard: "1024",
        note: "see [Snapshots](Snapshots.md)")
    case .dialects:
      .init(
        "The definition of a dialect, a password-reset API; may be repeated.",
        note: "in the variable with commas; see [Dialects](Dialects.md)")
    case .smtpRelay:
      .init(
        "A mail server that gets every captured mail: host:port, or a URL with smtp: or smtps:.",
        note: "see [The relay](SMTP.md#the-relay)")
    case .relayRecipients:
      .init(
        "An address that the relay may send to, with * for any text; may be repeated.",
        standard: "all addresses", note: "in the variable with commas")
    case .mailboxLimit:
      .init(
        "Megabytes of app mail that a project's mailbox holds; the oldest are deleted first.",
        standard: "256", note: "besides the bound of 10 000 messages; see [The mailbox](Mailbox.md)"
      )
    case .triggerEmail:
      .init(
        """
        A collection whose documents are sent as mails, or a file of parameters of the extension \
        Trigger Email; none for no collection; may be repeated.
        """, standard: "the instances in firebase.json", member: "extensions",
        note: "in the variable with commas; see [Trigger Email](Mailbox.md#trigger-email)")
    case .functionsAddress:
      .init(
        "host:port of a functions emulator to call when users or documents change.",
        note: "see [Triggers and webhooks](Triggers.md)")
    case .triggerRetries:
      .init("How many times to call a function again after it has failed.", standard: "0")
    case .allowedCallHosts:
      .init(
        "A host, or host:port, besides this machine that Hearth may call; may be repeated.",
        note:
          "in the variable with commas; `--allow-webhooks-to` is its earlier name; see [Other machines](Triggers.md#other-machines)"
      )
    case .importPath:
      .init(
        "An export directory, or a firebase auth:export file, to load at the start.",
        note: "see [Exports](Exports.md)")
    case .exportDirectory:
      .init(
        "A directory to export the default project to when the server stops.",
        note: "without a value the directory of `--import`; see [Exports](Exports.md)")
    case .readablePasswords:
      .init(
        "Export passwords that are set here as clear text: true or false.",
        standard: "false",
        note: "in projects whose ids begin with `demo-`; see [Exports](Exports.md)")
    case .seeds:
      .init(
        "A file of users, documents and settings to load at the start; may be repeated.",
        note: "in the variable with commas; see [Seeds](Seeds.md)")
    case .exportBelow:
      .init(
        "A directory below which the official tools may export to relative paths.",
        note: "absolute ones need no permission")
    case .serviceAccount:
      .init(
        "The key file of the service account to trust.", standard: "generated at start",
        note: "see [Service accounts](ServiceAccounts.md#service-accounts)")
    case .acceptAnyServiceAccount:
      .init(
        "Accept tokens of service accounts whose keys Hearth does not know: true or false.",
        standard: "false", note: "see [Service accounts](ServiceAccounts.md#service-accounts)")
    case .publicURL:
      .init(
        "The base URL of the links in mails, with --as-google.",
        standard: "the address of Auth", note: "see [Links](ServiceAccounts.md#links)")
    case .idpKeys:
      .init(
        """
        The keys of an identity provider, as ISSUER=FILE of a JWKS, or the URL of an issuer that \
        Hearth may call; may be repeated.
        """,
        note:
          "in the variable with commas; see [Tokens of identity providers](ServiceAccounts.md#tokens-of-identity-providers)"
      )
    }
  }
}

extension Configuration.Setting {
  /// Of the settings about TLS and Google's hosts.
  private var textOfTLS: Configuration.SettingText {
    switch self {
    case .tls:
      .init(
        "Serve Auth, Firestore and the console over TLS: true or false.", standard: "false",
        note: "see [TLS](TLS.md)")
    case .tlsCertificate:
      .init(
        "A PEM file with the certificate for --tls and its intermediate certificates.",
        standard: "issued by Hearth's own CA")
    case .tlsKey: .init("A PEM file with the key of the certificate.")
    case .asGoogle:
      .init(
        "Answer for Google's hosts over TLS: true or false.", standard: "false",
        note: "see [TLS](TLS.md#as-google)")
    case .tlsPort: .init("The port of Google's hosts.", standard: "443", note: "with `--as-google`")
    case .proxyPort:
      .init(
        "The port of a proxy that forwards to the emulated Google hosts, or none.",
        standard: "none",
        note: "with `--as-google`; see [The proxy](TLS.md#the-proxy)")
    case .metadataPort:
      .init(
        "The port of the metadata server, or none.", standard: "none",
        note: "without TLS, with `--as-google`"
      )
    case .authDomains:
      .init(
        "A domain of the project's pages besides PROJECT.firebaseapp.com; may be repeated.",
        note: "in the variable with commas, with `--as-google`")
    case .trustDays:
      .init(
        "How many days the certificates made at the start are valid, from 1 to 30.", standard: "1",
        note: "with `--as-google`, or with `--lan --tls`; see [TLS](TLS.md#how-long-trust-lasts)")
    default:
      .init(
        """
        A directory to write the certificates and settings to that programs need for the emulated \
        Google hosts.
        """,
        note: "with `--as-google`; see [The trust folder](TLS.md#the-trust-folder)")
    }
  }
}

extension Configuration {
  /// The table of the guide.
  package static var settingsTable: String {
    let rows = Setting.allCases.map {
      row("--" + $0.flag, variable: $0.environmentName, text: $0.text)
    }
    let lines = [
      "| flag | variable | `firebase.json` | default | |", "|---|---|---|---|---|",
    ]
    return (lines + rows + [row("--config", variable: nil, text: configFile)]).joined(
      separator: "\n")
  }

  private static func row(_ flag: String, variable: String?, text: SettingText) -> String {
    let remark = ([String(text.summary.dropLast()), text.note].filter { !$0.isEmpty }).joined(
      separator: "; ")
    let cells = [
      "`\(flag)`", code(variable), code(text.member),
      text.standard.map { $0.contains(" ") ? $0 : code($0) } ?? "none", remark,
    ]
    return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }

  private static func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "" }
}
