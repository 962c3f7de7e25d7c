package import HearthErrors
import HearthIdentityToolkit
package import HearthOperations
import HearthSQLite
package import HearthWire

/// The accounts of a small project, for a seed.
package struct AccountDump: Sendable {
  package var users: [(tenant: String?, record: JSON)] = []
  package var tenants: [TenantSettings] = []
  /// Those that are not as they are at first.
  package var switches = JSONObject()
}

extension AccountExport {
  /// Nil where there are more users than that.
  package func dump(limit: Int) throws(APIError) -> AccountDump? {
    try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: projectId, tenantId: nil, server: server)
      var dump = AccountDump()
      dump.tenants = try Tenants(in: project).all()
      let first =
        ProjectSettings(initial: server.initialSwitches).switches.json.object ?? JSONObject()
      for (name, value) in try project.settings().switches.json.object?.members ?? []
      where first[name] != value {
        dump.switches.append(name, value: value)
      }
      for tenant in [nil] + dump.tenants.map({ Optional($0.tenantId) }) {
        let users = try Accounts(in: project.inTenant(tenant)).users(after: "", limit: limit + 1)
        dump.users += users.map { (tenant, $0.seedRecord) }
        guard dump.users.count <= limit else { return nil }
      }
      return dump
    }
  }
}

extension User {
  /// With the password in clear in the place of its hash, where it is known.
  fileprivate var seedRecord: JSON {
    var object = wire(for: .admin).object ?? JSONObject()
    if let clear = password?.readable?.password {
      object["rawPassword"] = .string(clear)
      object["passwordHash"] = nil
      object["salt"] = nil
    }
    return .object(object)
  }
}
