package import HearthErrors
package import HearthSQLite
package import HearthWire

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
    var settings = try ProjectSettings.load(projectId, in: transaction, server: server)
    if let tenantId, settings.switches.answers == .production {
      let tenant = try TenantSettings.load(tenantId, of: projectId, in: transaction)
      settings.narrow(to: tenant?.record ?? JSONObject())
    }
    loadedSettings = settings
    return settings
  }

  private func refusal(ofTenant tenantId: String) throws(APIError) -> ErrorCode {
    switch try answers {
    case .emulator: .tenantNotFound
    case .production:
      try TenantSettings.isDeleted(tenantId, of: projectId, in: transaction)
        ? .tenantDeleted : .invalidTenantId
    }
  }

  package func save(_ settings: ProjectSettings) throws(APIError) {
    let switches = settings.switches
    if try self.switches() != switches {
      // Not only those who watch need to know.
      outbox.changes.append(.event(project: projectId, name: "switches.changed", switches.json))
    }
    try settings.save(projectId, in: transaction, server: server)
    loadedSettings = settings
  }

  /// Has settings read again that were changed otherwise than by `save`.
  package func forgetSettings() {
    server.settings.forget(projectId, in: transaction)
    loadedSettings = nil
  }

  package func switches() throws(APIError) -> Switches { try settings().switches }

  /// Whose answers are given where those of the two programs are different. Settings are read once
  /// a transaction, so it does not change within a request.
  package var answers: Switches.Program {
    get throws(APIError) { try settings().switches.answers }
  }

  /// The settings of the tenant. A tenant that is named for the first time is created.
  ///
  /// - Throws: `TENANT_NOT_FOUND` when tenants are strict and there is none of that id.
  package func tenant() throws(APIError) -> TenantSettings? {
    guard let tenantId else { return nil }
    if let loadedTenant { return loadedTenant }
    let tenant: TenantSettings
    if let known = try TenantSettings.load(tenantId, of: projectId, in: transaction) {
      tenant = known
    } else {
      if try switches().strictTenants { throw APIError(try refusal(ofTenant: tenantId)) }
      tenant = .implicit(tenantId, of: projectId)
      try tenant.save(of: projectId, in: transaction)
    }
    loadedTenant = tenant
    return tenant
  }

  /// Publishes an event that people and tests watch for, if anybody does.
  package func publish(_ name: String, members: @autoclosure () -> JSON) {
    guard server.changes.isWatched else { return }
    outbox.changes.append(.event(project: projectId, name: name, members()))
  }

  /// The same transaction seen from another tenant, or from the project itself.
  package func inTenant(_ tenantId: String?) -> ProjectTransaction {
    ProjectTransaction(transaction, projectId: projectId, tenantId: tenantId, server: server)
  }
}

extension ProjectTransaction {
  /// Whether passwords are kept in clear too, so that they can be exported in clear.
  package var keepsReadablePasswords: Bool { server.exportsReadablePasswords(of: projectId) }
}
