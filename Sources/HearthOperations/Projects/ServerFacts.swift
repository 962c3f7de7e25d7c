package import HearthServiceAccounts
package import HearthTime
package import HearthTokens
import Synchronization

/// What an operation may know of the server that it runs in. A class for the sake of speed, as every
/// transaction holds it.
package final class ServerFacts: Sendable {
  package let defaultProject: String
  /// The switches of a project that has set none.
  package let initialSwitches: Switches
  package let changes = Changes()
  let settings = SettingsCache()
  /// Tokens that a restore takes back.
  package let issuedTokens = IssuedTokens()
  /// The machine's time.
  package let clock: any HearthClock
  /// The time of each project, which its requests are judged by.
  package let clocks: ProjectClocks
  package let functions: any FunctionCaller
  /// Nil where none is configured.
  package let functionsEmulator: FunctionsEmulator?
  package let serviceAccounts: ServiceAccounts
  /// Nil outside of the mode in which production builds take Hearth for Google.
  package let google: GoogleMode?
  /// The keys that verify ID tokens of identity providers, where they are configured.
  package let idpKeys: IdpKeys
  /// The keys of the identity providers that live here.
  package let providerKeys: ProviderKeys
  /// Whether a port of Auth issues tokens without a signature, which Firestore then takes too.
  package let issuesUnsignedTokens: Bool
  package let appCheck: AppCheckFacts
  private let userEventsAreSent: Atomic<Bool>
  private let productionIsAsked: Atomic<Bool>
  private let exportsReadablePasswords: Bool
  /// Bytes of the mails of apps that a project's mailbox holds.
  package let mailboxBytes: Int
  /// What pages of this machine are called on the local network. They count as domains of projects
  /// that list none.
  package let networkDomains: [String]
  /// Where mails of apps are read, which may be large.
  package let mail = WorkPool("mail", threads: 2, places: 200)
  /// Where imported password hashes are verified. Some take a second and 256 MiB on purpose.
  package let hashing = WorkPool("password hashing", threads: 2, places: 32)
  /// Where imports and exports read and write their files, and projects are copied and deleted. What
  /// waits holds little, and tests that run side by side all end with a deletion.
  package let files = WorkPool("importing and exporting", threads: 2, places: 254)

  package init(
    defaultProject: String, initialSwitches: Switches, clock: any HearthClock,
    functions: any FunctionCaller, sendsUserEvents: Bool, functionsAddress: String? = nil,
    exportsReadablePasswords: Bool = false,
    mailboxBytes: Int = 256 << 20, serviceAccounts: ServiceAccounts? = nil,
    google: GoogleMode? = nil, idpKeys: IdpKeys = .none, networkDomains: [String] = [],
    issuesUnsignedTokens: Bool = false, dataDirectory: String? = nil
  ) {
    self.defaultProject = defaultProject
    self.initialSwitches = initialSwitches
    self.clock = clock
    clocks = ProjectClocks(clock)
    self.functions = functions
    functionsEmulator = functionsAddress.map {
      FunctionsEmulator(address: $0, project: defaultProject, caller: functions, clock: clock)
    }
    self.google = google
    self.idpKeys = idpKeys
    providerKeys = ProviderKeys(clock: clock)
    self.serviceAccounts =
      google?.serviceAccounts ?? serviceAccounts
      ?? ServiceAccounts(project: defaultProject, clock: clock)
    appCheck = AppCheckFacts(initialSwitches, dataDirectory: dataDirectory, clock: clock)
    userEventsAreSent = Atomic(sendsUserEvents)
    productionIsAsked = Atomic(initialSwitches.answers == .production)
    self.exportsReadablePasswords = exportsReadablePasswords
    self.mailboxBytes = mailboxBytes
    self.networkDomains = networkDomains
    self.issuesUnsignedTokens = issuesUnsignedTokens
  }

  /// The switches of a project, where they were read before and have not changed since.
  package func knownSwitches(of projectId: String) -> Switches? {
    settings.switches(of: projectId)
  }

  /// Whether passwords that are set here are exported in clear: only where they can be nobody's own.
  package func exportsReadablePasswords(of projectId: String) -> Bool {
    exportsReadablePasswords && projectId.hasPrefix("demo-")
  }

  /// Whether a function or a webhook may want events of users.
  package var sendsUserEvents: Bool { userEventsAreSent.load(ordering: .relaxed) }

  /// Whether any project may have production's answers. Where none has, no request asks further.
  var hasProductionAnswers: Bool { productionIsAsked.load(ordering: .relaxed) }

  func noteProductionAnswers() { productionIsAsked.store(true, ordering: .relaxed) }

  /// From now on one does.
  package func sendUserEvents() { userEventsAreSent.store(true, ordering: .relaxed) }
}
