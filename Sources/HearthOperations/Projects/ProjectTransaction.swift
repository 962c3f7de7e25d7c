package import HearthErrors
package import HearthSQLite
package import HearthServiceAccounts
package import HearthTime
package import HearthWire
import Synchronization

/// A transaction on one project, or on one of its tenants: all that an operation can reach.
///
/// A class because it owns what lives as long as the transaction: the outbox, and the settings,
/// which are read once.
package final class ProjectTransaction {
  package let transaction: Transaction
  package let projectId: String
  /// Nil for the project's own accounts.
  package let tenantId: String?
  package let server: ServerFacts
  package var outbox = Outbox()
  private var loadedSettings: ProjectSettings?
  private var loadedTenant: TenantSettings?

  package init(
    _ transaction: Transaction, projectId: String, tenantId: String?, server: ServerFacts
  ) {
    self.transaction = transaction
    self.projectId = projectId
    self.tenantId = tenantId
    self.server = server
  }

  /// The value of the `tenant` columns.
  package var tenantKey: String { tenantId ?? "" }

  package func settings() throws(APIError) -> ProjectSettings {
    if let loadedSettings { return loadedSettings }
    var settings = try ProjectSettings.load(projectId, in: transaction, server)
    if let tenantId, settings.switches.answers == .production {
      let tenant = try TenantSettings.load(tenantId, of: projectId, in: transaction)
      settings.narrow(to: tenant?.record ?? JSONObject())
    }
    loadedSettings = settings
    return settings
  }

  private func productionRefusal(of tenantId: String) throws(APIError) -> ErrorCode {
    let isDeleted = try TenantSettings.isDeleted(tenantId, of: projectId, in: transaction)
    return isDeleted ? .tenantDeleted : .invalidTenantId
  }

  package func save(_ settings: ProjectSettings) throws(APIError) {
    let switches = settings.switches
    if try self.switches() != switches {
      // Not only those who watch need to know.
      outbox.changes.append(.event(project: projectId, name: "switches.changed", switches.json))
    }
    try settings.save(projectId, in: transaction, server)
    loadedSettings = settings
  }

  /// Has settings read again that were changed otherwise than by `save`.
  package func forgetSettings() {
    server.settings.forget(projectId, in: transaction)
    loadedSettings = nil
  }

  package func switches() throws(APIError) -> Switches { try settings().switches }

  /// Whether production's answers are given where the official emulator's are different.
  package var answersAsProduction: Bool {
    get throws(APIError) { try switches().answers == .production }
  }

  /// The settings of the tenant, which springs into being when it is first named.
  ///
  /// - Throws: `TENANT_NOT_FOUND` when tenants are strict and there is none of that id.
  package func tenant() throws(APIError) -> TenantSettings? {
    guard let tenantId else { return nil }
    if let loadedTenant { return loadedTenant }
    let tenant: TenantSettings
    if let known = try TenantSettings.load(tenantId, of: projectId, in: transaction) {
      tenant = known
    } else {
      if try switches().strictTenants {
        throw APIError(try answersAsProduction ? productionRefusal(of: tenantId) : .tenantNotFound)
      }
      tenant = .implicit(tenantId, of: projectId)
      try tenant.save(of: projectId, in: transaction)
    }
    loadedTenant = tenant
    return tenant
  }

  /// Notes something that people and tests watch for, if anybody does.
  package func tell(_ name: String, _ members: @autoclosure () -> JSON) {
    guard server.changes.isWatched else { return }
    outbox.changes.append(.event(project: projectId, name: name, members()))
  }

  /// The same transaction seen from another tenant, or from the project itself.
  package func inTenant(_ tenantId: String?) -> ProjectTransaction {
    ProjectTransaction(transaction, projectId: projectId, tenantId: tenantId, server: server)
  }
}

extension ProjectTransaction {
  /// Whether a password that comes in clear is kept, so that it can be exported in clear.
  package var keepsReadablePasswords: Bool {
    server.exportsReadablePasswords && projectId.hasPrefix("demo-")
  }
}

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
  package let serviceAccounts: ServiceAccounts
  /// Nil outside of the mode in which production builds take Hearth for Google.
  package let google: GoogleMode?
  /// The keys that verify ID tokens of identity providers, where they are configured.
  package let idpKeys: IdpKeys
  private let userEventsAreSent: Atomic<Bool>
  private let productionIsAsked: Atomic<Bool>
  /// Whether passwords of `demo-` projects that were imported in clear are exported in clear.
  package let exportsReadablePasswords: Bool
  /// Bytes of the mails of apps that a project's mailbox holds.
  package let mailboxBytes: Int
  /// What pages of this machine are called in the local network. They count as domains of projects
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
    functions: any FunctionCaller, sendsUserEvents: Bool, exportsReadablePasswords: Bool = false,
    mailboxBytes: Int = 256 << 20, serviceAccounts: ServiceAccounts? = nil,
    google: GoogleMode? = nil, idpKeys: IdpKeys = .none, networkDomains: [String] = []
  ) {
    self.defaultProject = defaultProject
    self.initialSwitches = initialSwitches
    self.clock = clock
    clocks = ProjectClocks(clock)
    self.functions = functions
    self.google = google
    self.idpKeys = idpKeys
    self.serviceAccounts =
      google?.serviceAccounts ?? serviceAccounts
      ?? ServiceAccounts(project: defaultProject, clock: clock)
    userEventsAreSent = Atomic(sendsUserEvents)
    productionIsAsked = Atomic(initialSwitches.answers == .production)
    self.exportsReadablePasswords = exportsReadablePasswords
    self.mailboxBytes = mailboxBytes
    self.networkDomains = networkDomains
  }

  /// The switches of a project, where they were read before and have not changed since.
  package func knownSwitches(of projectId: String) -> Switches? {
    settings.switches(of: projectId)
  }

  /// Whether a function or a webhook may want events of users.
  package var sendsUserEvents: Bool { userEventsAreSent.load(ordering: .relaxed) }

  /// Whether any project may have production's answers. Where none has, no request asks further.
  var hasProductionAnswers: Bool { productionIsAsked.load(ordering: .relaxed) }

  func noteProductionAnswers() { productionIsAsked.store(true, ordering: .relaxed) }

  /// From now on one does.
  package func sendUserEvents() { userEventsAreSent.store(true, ordering: .relaxed) }
}
