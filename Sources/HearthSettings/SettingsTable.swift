import HearthExports
import HearthOperations
import HearthTokens
import HearthTransport
import Logging

/// The table of settings: the flags with their help, the variables, the members of `firebase.json`,
/// what a value is and where it goes. The guide's page is made of it.
extension Configuration.Setting {
  package var row: Configuration.SettingRow {
    switch self {
    case .project:
      .init(
        .general,
        .text("id") { configuration, given throws(ConfigurationError) in
          configuration.project = try given.projectID(by: configuration.projectAliases)
        },
        "The default project.", standard: Configuration.defaultProject,
        note: "also `projects.default` in `.firebaserc`")
    case .host:
      .init(
        .ports, .text("address") { $0.setHost($1.text) },
        "The address to listen on.", standard: "127.0.0.1", member: "emulators.auth.host")
    case .lan:
      .init(
        .network, .flag { $0.usesLocalNetwork = $1 },
        "Let phones on the local network reach the ports of apps.", standard: "false",
        note: "see [Phones](Phones.md)")
    case .lanHost:
      .init(
        .network, .text("host") { $0.lanHost = $1.text },
        "The address for --lan, or a name of this machine such as mac.local.",
        standard: "the likeliest address")
    case .lanControl:
      .init(
        .network, .flag { $0.opensControlToNetwork = $1 },
        "Open the control endpoints to other machines too, with --lan.", standard: "false",
        note: "mailbox, faults, clock, console")
    case .authPort:
      .init(
        .ports, .port { $0.authPort = $1 },
        "The port of Auth; 0 takes a free one, as exec does.", standard: "9099",
        member: "emulators.auth.port", note: "so for every port")
    case .firestorePort:
      .init(
        .ports, .port { $0.firestorePort = $1 },
        "The port of Firestore; exec takes a free one.", standard: "8080",
        member: "emulators.firestore.port")
    case .consolePort:
      .init(
        .ports, .optionalPort { $0.setConsolePort($1) },
        "The port of the console, or none; exec takes a free one.", standard: "4000",
        member: "emulators.ui.port", note: "another one where the default is taken")
    case .hubPort:
      .init(
        .ports, .optionalPort { $0.hubPort = $1 },
        "The port of the hub, or none; exec takes a free one.", standard: "4400",
        member: "emulators.hub.port",
        note: "another one where it is taken; see [The hub](Migrating.md#the-hub)")
    case .smtpPort:
      .init(
        .mail, .optionalPort { $0.smtpPort = $1 },
        "The port for mail over SMTP, or none; exec takes a free one.", standard: "1025",
        note: "without TLS; see [Mail over SMTP](SMTP.md)")
    case .smtpTLSPort:
      .init(
        .mail, .optionalPort { $0.smtpTLSPort = $1 },
        "The port for mail over SMTP with STARTTLS, or none; exec takes a free one.",
        standard: "1587", note: "see [Mail over SMTP](SMTP.md)")
    case .mailAPIPort:
      .init(
        .mail, .optionalPort { $0.mailAPIPort = $1 },
        "The port of the mail providers' send APIs, or none; exec takes a free one.",
        standard: "1080",
        note: "none where it is taken; see [Send APIs](SendAPIs.md)")
    case .unsignedAuthPort:
      .init(
        .ports, .port { $0.unsignedAuthPort = $1 },
        "A second port of Auth that issues unsigned tokens, for Admin Node.")
    case .tls:
      .init(
        .tls, .flag { $0.usesTLS = $1 },
        "Serve Auth, Firestore and the console over TLS: true or false.", standard: "false",
        note: "see [TLS](TLS.md)")
    case .tlsCertificate:
      .init(
        .tls, .file { $0.tlsCertificate = $1 },
        "A PEM file with the certificate for --tls and its intermediate certificates.",
        standard: "issued by Hearth's own CA")
    case .tlsKey:
      .init(
        .tls, .file { $0.tlsKey = $1 },
        "A PEM file with the key of the certificate.")
    case .asGoogle:
      .init(
        .tls, .asGoogle,
        "Answer for Google's hosts over TLS: true or false.", standard: "false",
        note: "see [TLS](TLS.md#as-google)")
    case .tlsPort:
      .init(
        .tls, .port { $0.tlsPort = $1 },
        "The port of Google's hosts.", standard: "443", note: "with `--as-google`")
    case .proxyPort:
      .init(
        .tls, .optionalPort { $0.proxyPort = $1 },
        "The port of a proxy that forwards to the emulated Google hosts, or none.",
        standard: "none",
        note: "with `--as-google`; see [The proxy](TLS.md#the-proxy)")
    case .metadataPort:
      .init(
        .tls, .optionalPort { $0.metadataPort = $1 },
        "The port of the metadata server, or none.", standard: "none",
        note: "without TLS, with `--as-google`")
    case .authDomains:
      .init(
        .tls, .names("domain") { $0.authDomains = $1 },
        "A domain of the project's pages besides PROJECT.firebaseapp.com; may be repeated.",
        note: "in the variable with commas, with `--as-google`")
    case .trustDirectory:
      .init(
        .tls, .directory { $0.trustDirectory = Directories.absolute($1) },
        """
        A directory to write the certificates and settings to that programs need for the emulated \
        Google hosts.
        """,
        note: "with `--as-google`; see [The trust folder](TLS.md#the-trust-folder)")
    case .trustDays:
      .init(
        .tls,
        .number("days", from: 1...30, expected: "a number of days, from 1 to 30") {
          $0.trustDays = $1
        },
        "How many days the certificates made at the start are valid, from 1 to 30.", standard: "1",
        note: "with `--as-google`, or with `--lan --tls`; see [TLS](TLS.md#how-long-trust-lasts)")
    case .tokens:
      .init(
        .general, .choice(TokenMode.self) { $0.tokens = $1 },
        "How tokens are signed: rs256 or none.", standard: "rs256",
        note: "the official emulator does not sign")
    case .profile:
      .init(
        .general, .choice(Switches.Profile.self) { $0.profile = $1 },
        "The initial values of the switches: emulator or production.", standard: "emulator",
        note: "see [Switches](#switches)")
    case .data:
      .init(
        .general, .directory { $0.dataDirectory = $1 },
        "The directory for the database and the keys.", standard: "memory only",
        note: "memory holds up to 2 GB; see [Data files](Versions.md#data-files)")
    case .logLevel:
      .init(
        .general, .choice(Logger.Level.self) { $0.logLevel = $1 },
        "trace, debug, info, notice, warning, error or critical.", standard: "info")
    case .singleProjectMode:
      .init(
        .general, .choice(SingleProjectMode.self) { $0.singleProjectMode = $1 },
        "What to do with other projects: no-warning, warning or error.", standard: "warning",
        member: "emulators.singleProjectMode", note: "for Auth; in the file `true` or `false`")
    case .requireToken:
      .init(
        .general, .flag { $0.requiresToken = $1 },
        "Share the server: projects are opened with a token, and control calls need it.",
        standard: "false",
        note: "see [A shared server](SharedServer.md)")
    case .operatorTokenFile:
      .init(
        .general, .file { $0.operatorTokenPath = $1 },
        "A file with the token that opens projects, with --require-token.",
        standard: "one is made and printed",
        note: "or the token itself in `HEARTH_OPERATOR_TOKEN`")
    case .allowedHosts:
      .init(
        .ports, .names("host") { $0.allowedHosts = $1 },
        "A host name that the control endpoints answer to; may be repeated.",
        note: "besides loopback names; in the variable with commas", flag: "allowed-host")
    case .rules:
      .init(
        .firestore, .file { $0.setRules($1) },
        "A file of Firestore security rules.", standard: "the one of firebase.json",
        member: "firestore.rules",
        note: "see [Rules](Rules.md)")
    case .rulesBudget:
      .init(
        .firestore,
        .number("number", from: 1...Int.max, expected: "a number above 0") {
          $0.rulesBudget = $1
        },
        """
        What the rules of one request may cost: a unit is about 100 ns of work or a byte of a value.
        """, standard: "10000000")
    case .indexes:
      .init(
        .firestore, .choice(Switches.IndexMode.self, ofExec: "report") { $0.indexMode = $1 },
        "What happens to queries that miss an index: off, warn or enforce; for exec also report.",
        standard: "warn where firebase.json names a file of indexes",
        note: "enforce with `--profile production`; see [Indexes](Indexes.md)")
    case .writeIndexes:
      .init(
        .firestore, .flag { $0.writesIndexFiles = $1 },
        "Write indexes added in the console to firestore.indexes.json.")
    case .appCheck:
      .init(
        .general, .choice(Switches.Enforcement.self, ofExec: "check") { $0.appCheck = $1 },
        "What happens to calls without App Check: off, monitor or enforce; for exec also check.",
        note: "`off` at first; Auth and Firestore; see [App Check](AppCheck.md)")
    case .snapshotLimit:
      .init(
        .general, .megabytes(upTo: 1_000_000) { $0.limits.snapshots = $1 },
        "The most megabytes that the snapshots of all projects may hold.", standard: "1024",
        note: "see [Snapshots](Snapshots.md)")
    case .dialects:
      .init(
        .backEnds, .files { $0.dialectPaths = $1 },
        "The definition of a dialect, a password-reset API; may be repeated.",
        note: "in the variable with commas; see [Dialects](Dialects.md)")
    case .smtpRelay:
      .init(
        .mail, .text("host:port") { $0.smtpRelay = $1.text },
        "A mail server that gets the mails that Hearth writes: host:port, or a URL with smtp: or smtps:.",
        note: "see [The relay](SMTP.md#the-relay)")
    case .mailboxLimit:
      .init(
        .mail, .megabytes(upTo: 100_000) { $0.limits.mailbox = $1 },
        "Megabytes of app mail that a project's mailbox holds; the oldest are deleted first.",
        standard: "256", note: "besides the bound of 10 000 messages; see [The mailbox](Mailbox.md)"
      )
    case .triggerEmail:
      .init(
        .mail,
        .list("collection") { configuration, given throws(ConfigurationError) in
          try configuration.setTriggerEmail(given.names, source: given.source)
        },
        """
        A collection whose documents are sent as mails, or a file of parameters of the extension \
        Trigger Email; none for no collection; may be repeated.
        """, standard: "the instances in firebase.json", member: "extensions",
        note: "in the variable with commas; see [Trigger Email](Mailbox.md#trigger-email)")
    case .relayRecipients:
      .init(
        .mail, .names("address") { $0.relayRecipients = $1 },
        "An address that the relay may send to, with * for any text; may be repeated.",
        standard: "all addresses", note: "in the variable with commas")
    case .functionsAddress:
      .init(
        .backEnds,
        .text("host:port") { configuration, given throws(ConfigurationError) in
          configuration.functionsAddress = try given.address
        },
        "host:port of a functions emulator to call when users or documents change.",
        note: "see [Triggers and webhooks](Triggers.md)")
    case .triggerRetries:
      .init(
        .backEnds,
        .number("number", from: 0...10, expected: "a number from 0 to 10") {
          $0.triggerRetries = $1
        },
        "How many times to call a function again after it has failed.", standard: "0")
    case .allowedCallHosts:
      .init(
        .backEnds, .names("host") { $0.allowedCallHosts = $1 },
        "A host, or host:port, besides this machine that Hearth may call; may be repeated.",
        note:
          "in the variable with commas; `--allow-webhooks-to` is its earlier name; see [Other machines](Triggers.md#other-machines)",
        earlierFlag: "allow-webhooks-to")
    case .importPath:
      .init(
        .content, .file { $0.importPath = $1 },
        "An export directory, or a firebase auth:export file, to load at the start.",
        note: "see [Exports](Exports.md)")
    case .exportDirectory:
      .init(
        .content, .directory(withoutValue: "") { $0.exportDirectory = $1 },
        "A directory to export the default project to when the server stops.",
        note: "without a value the directory of `--import`; see [Exports](Exports.md)")
    case .seeds:
      .init(
        .content, .files { $0.seedPaths = $1 },
        "A file of users, documents and settings to load at the start; may be repeated.",
        note: "in the variable with commas; see [Seeds](Seeds.md)")
    case .exportBelow:
      .init(
        .content, .directory { $0.exportBelow = $1 },
        "A directory below which the official tools may export to relative paths.",
        note: "absolute ones need no permission")
    case .readablePasswords:
      .init(
        .content, .flag { $0.exportsReadablePasswords = $1 },
        "Export passwords that are set here as clear text: true or false.",
        standard: "false",
        note: "in projects whose ids begin with `demo-`; see [Exports](Exports.md)")
    case .serviceAccount:
      .init(
        .backEnds, .file { $0.serviceAccountPath = $1 },
        "The key file of the service account to trust.", standard: "generated at start",
        note: "see [Service accounts](ServiceAccounts.md#service-accounts)")
    case .acceptAnyServiceAccount:
      .init(
        .backEnds, .flag { $0.acceptsAnyServiceAccount = $1 },
        "Accept tokens of service accounts whose keys Hearth does not know: true or false.",
        standard: "false", note: "see [Service accounts](ServiceAccounts.md#service-accounts)")
    case .publicURL:
      .init(
        .tls,
        .text("url") { configuration, given throws(ConfigurationError) in
          configuration.publicURL = try given.publicURL
        },
        "The base URL of the links in mails, with --as-google.",
        standard: "the address of Auth", note: "see [Links](ServiceAccounts.md#links)")
    case .idpKeys:
      .init(
        .backEnds, .list("issuer=file") { $0.idpKeys = $1.values },
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
