package import HearthFirestore
import HearthFirestoreRules
package import HearthOperations
package import HearthTokens
package import HearthTransport
package import HearthTriggerEmail
package import HearthWire
package import Logging

/// Everything that can be set for a server.
package struct Configuration: Sendable {
  package static let defaultProject = "demo-hearth"

  package var project = Configuration.defaultProject { didSet { isProjectChosen = true } }
  /// Whether a flag, a variable or a file says which project it is; it may be the usual one.
  var isProjectChosen = false
  package var host = "127.0.0.1"
  /// Whether the machines of the local network reach the ports of apps.
  package var usesLocalNetwork = false
  /// The address on the local network, or a name of this machine; nil for the likeliest address.
  package var lanHost: String?
  /// Whether several people share the server: each project then has a token.
  package var requiresToken = false
  /// A file with the token of the one that runs it.
  package var operatorTokenPath: String?
  /// Never logged, and shown once where it was made.
  package internal(set) var operatorToken: String?
  package internal(set) var hasMadeOperatorToken = false
  /// Whether control endpoints answer to other machines too.
  package var opensControlToNetwork = false
  /// 0 asks for a free port, as with the others.
  package var authPort = 9099
  package var firestorePort = 8080
  /// Nil for no console.
  package var consolePort: Int? = 4000
  /// Whether nobody has asked for that port, so that another one will do where it is taken.
  package var consoleMayMove = true
  /// Where other programs of the suite look for the emulators; nil for nowhere.
  package var hubPort: Int? = 4400
  /// Where mail comes in over SMTP: without TLS, and with STARTTLS; nil for nowhere.
  package var smtpPort: Int? = 1025
  package var smtpTLSPort: Int? = 1587
  /// The port of the send APIs of mail providers; nil for none.
  package var mailAPIPort: Int? = 1080
  /// Whether the server answers for Google's hosts, over TLS.
  package var asGoogle = false
  package var tlsPort = 443
  /// The port of a proxy that leads to these hosts; nil for none.
  package var proxyPort: Int?
  /// The port of the metadata server, without TLS; nil for none.
  package var metadataPort: Int?
  /// A directory that gets what programs need to trust the server.
  package var trustDirectory: String?
  /// Domains of the project's pages, besides those that its id makes.
  package var authDomains: [String] = []
  /// Whether Auth, Firestore and the console are served over TLS.
  package var usesTLS = false
  /// Files with a certificate and its key; nil for a certificate of the server's own authority.
  package var tlsCertificate: String?
  package var tlsKey: String?
  /// How many days programs and phones may trust the authority that is made at the start.
  package var trustDays = 1
  /// Whether that authority is what phones trust on the local network.
  package var offersAuthorityToPhones: Bool {
    usesLocalNetwork && usesTLS && tlsCertificate == nil
  }
  /// A second port to Auth that mints unsigned tokens; nil for none.
  package var unsignedAuthPort: Int?
  package var tokens = TokenMode.rs256
  package var profile = Switches.Profile.emulator
  /// The switches of a project that has set none.
  package var initialSwitches: Switches {
    var switches = profile.switches
    // A file of indexes is there to be looked at.
    if switches.indexes == .off, !indexFiles.isEmpty { switches.indexes = .warn }
    if let indexMode { switches.indexes = indexMode }
    if let appCheck {
      for service in AppCheckService.allCases { switches.setEnforcement(appCheck, of: service) }
    }
    return switches
  }
  /// Whether requests to Firestore may be as large as in production, which is a little more. Which
  /// project a request is for is known too late.
  package var isFirestoreAsProduction: Bool { initialSwitches.limits == .production }
  /// What happens to queries that miss an index; nil for what the profile and the files say.
  package var indexMode: Switches.IndexMode?
  /// What happens to calls without App Check; nil for what the profile says.
  package var appCheck: Switches.Enforcement?
  /// The files of indexes, by the ids of their databases.
  package var indexFiles: [String: String] = [:]
  /// Whether a file of indexes that cannot be read ends the start.
  package var requiresIndexFiles = false
  /// Whether indexes that are added in the console are written into the file.
  package var writesIndexFiles = false
  /// Where the data is kept; nil for memory.
  package var dataDirectory: String?
  package var logLevel = Logger.Level.info
  package var singleProjectMode = SingleProjectMode.warning
  /// Names that control endpoints answer to, beyond loopback.
  package var allowedHosts: [String] = []
  /// What to import before the ports open: an export's directory, or a file of accounts.
  package var importPath: String?
  /// Where to export to when the server stops; empty for where the import came from.
  package var exportDirectory: String?
  /// Files of seeds, which are read after the import.
  package var seedPaths: [String] = []
  /// Whether passwords of `demo-` projects that are set here are exported in clear.
  package var exportsReadablePasswords = false
  /// Where relative directories lie that the official tools export to; nil refuses them.
  package var exportBelow: String?
  /// Files of dialects: password-reset APIs of other back ends, to be played.
  package var dialectPaths: [String] = []
  /// A mail server that gets the mails that Hearth writes, as `host:port` or as a URL.
  package var smtpRelay: String?
  /// Collections whose documents are sent as mails.
  package var triggerEmail: [TriggerEmailSettings] = []
  /// Whether `firebase.json` named them, and not the user.
  package var foundTriggerEmail: Bool { !extensionFiles.isEmpty }
  /// The files of parameters of the extension's instances in `firebase.json`, one each.
  var extensionFiles: [String] = []
  /// The addresses that the relay may send to, as patterns with `*`; empty for all.
  package var relayRecipients: [String] = []
  /// A file of Firestore security rules; nil leaves Firestore open.
  package var rulesPath: String?
  /// The files of rules of databases that do not take those of ``rulesPath``, by their ids.
  package internal(set) var databaseRules: [String: String] = [:]
  /// What `firestore` of `firebase.json` says of databases.
  var databaseEntries: [DatabaseEntry] = []
  /// The databases of the targets in `.firebaserc`: `{PROJECT: {"firestore": {TARGET: [ID]}}}`.
  package var targets: JSON?
  /// The text of rules, instead of a file.
  package var rulesText: String?
  /// What the rules of one request may cost, in units of about 100 ns or one byte.
  package var rulesBudget = RuleBudget.standard
  /// `host:port` of a functions emulator, which gets events of users and of documents.
  package var functionsAddress: String?
  /// How many times a function is called again after it has failed.
  package var triggerRetries = 0
  /// Hosts besides this machine that Hearth may call by itself.
  package var allowedCallHosts: [String] = []
  /// The emulators that are wanted, of those that Hearth has.
  package var only = Configuration.emulators
  /// The emulators in `firebase.json` that Hearth does not have, and that nothing starts.
  package var otherEmulators: [String] = []
  /// The ids of projects by the names that `.firebaserc` has for them.
  package internal(set) var projectAliases: [String: String] = [:]
  /// The `firebase.json` that was read; nil for none.
  package internal(set) var settingsPath: String?
  /// The addresses in `firebase.json` that are not used, as a warning; nil where there is none.
  var unusedHosts: String?
  /// What the log says of variables and of members of `firebase.json` that nobody knows.
  var unknownNames: [String] = []
  /// Stops the server when `POST /shutdown` asks for it; nil where its starter does.
  package var onShutdown: (@Sendable () -> Void)?
  package var limits = Limits()
  /// What is kept of Firestore's past.
  package var history = HistoryBounds()
  /// The key file of the service account that counts; nil for one that is made.
  package var serviceAccountPath: String?
  /// Whether assertions that cannot be verified are accepted.
  package var acceptsAnyServiceAccount = false
  /// What links begin with that people open; nil for the server's own address.
  package var publicURL: String?
  /// Where the keys of identity providers are: `ISSUER=FILE`, or the URL of an issuer of this machine.
  package var idpKeys: [String] = []

  package init() {}

  /// All ports free, everything in memory: what a test wants.
  package static var ephemeral: Configuration {
    var configuration = Configuration()
    configuration.authPort = 0
    configuration.firestorePort = 0
    configuration.consolePort = 0
    configuration.hubPort = nil
    configuration.smtpPort = nil
    configuration.smtpTLSPort = nil
    configuration.mailAPIPort = nil
    return configuration
  }

  /// What Hearth has of the suite.
  package static let emulators: Set<String> = ["auth", "firestore"]
}

/// A setting that cannot be used, and where it came from.
package struct ConfigurationError: Error, CustomStringConvertible {
  package let description: String
  /// Whether flags, variables or their values cannot be used, whatever the state of the machine.
  package let isMisuse: Bool

  package init(_ description: String) {
    self.description = description
    isMisuse = false
  }

  package init(misuse description: String) {
    self.description = description
    isMisuse = true
  }

  package init(_ value: String, in source: String, expected: String) {
    self.init(misuse: "\(source): '\(value)' is not \(expected)")
  }
}

extension Configuration {
  /// Leaves only these emulators at their ports; the other one gets a free port, which is
  /// not announced.
  package mutating func select(_ emulators: Set<String>, others: [String]) {
    only = emulators
    if !emulators.contains("auth") { authPort = 0 }
    if !emulators.contains("firestore") { firestorePort = 0 }
    otherEmulators = others
  }
}
