package import HearthErrors
package import HearthSQLite
package import HearthWire

/// A tenant as the v2 API shows it, and what its members mean.
package struct TenantSettings: Sendable, Equatable {
  package let tenantId: String
  package var record: JSONObject

  package init(tenantId: String, record: JSONObject) {
    self.tenantId = tenantId
    self.record = record
  }

  package var disablesAuth: Bool { record["disableAuth"]?.bool ?? false }
  package var allowsPasswordSignup: Bool { record["allowPasswordSignup"]?.bool ?? false }
  package var allowsEmailLinkSignin: Bool { record["enableEmailLinkSignin"]?.bool ?? false }
  package var allowsAnonymousUser: Bool { record["enableAnonymousUser"]?.bool ?? false }

  /// A tenant that a request names although nobody created it: everything is enabled.
  package static func implicit(_ tenantId: String, of projectId: String) -> TenantSettings {
    TenantSettings(
      tenantId: tenantId,
      record: JSONObject([
        "name": .string(name(tenantId, of: projectId)),
        "tenantId": .string(tenantId),
        "allowPasswordSignup": true,
        "disableAuth": false,
        "mfaConfig": ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]],
        "enableAnonymousUser": true,
        "enableEmailLinkSignin": true,
      ]))
  }

  /// The name that the tenant has in a project, which may not be the one it comes from.
  package mutating func rename(in projectId: String) {
    record["name"] = .string(Self.name(tenantId, of: projectId))
  }

  private static func name(_ tenantId: String, of projectId: String) -> String {
    "projects/\(projectId)/tenants/\(tenantId)"
  }

  package static func load(
    _ tenantId: String, of projectId: String, in transaction: Transaction
  ) throws(APIError) -> TenantSettings? {
    let record = try transaction.first(
      "SELECT record FROM tenants WHERE project = ? AND tenant = ?",
      arguments: [projectId, tenantId]
    ) { try JSON.parse($0[0] as String).object }
    return record.flatMap { $0 }.map { TenantSettings(tenantId: tenantId, record: $0) }
  }

  package func save(of projectId: String, in transaction: Transaction) throws(APIError) {
    try transaction.execute(
      "INSERT OR REPLACE INTO tenants (project, tenant, record) VALUES (?, ?, ?)",
      arguments: [projectId, tenantId, JSON.object(record).text])
  }
}

/// Tenants that have been deleted, which production tells from those that never were.
extension TenantSettings {
  private static let kept: Int64 = 10_000

  package static func noteDeletion(
    of tenantId: String, _ projectId: String, in transaction: Transaction
  ) throws(APIError) {
    try transaction.execute(
      "INSERT INTO deleted_tenants (project, tenant) VALUES (?, ?)",
      arguments: [projectId, tenantId])
    try transaction.execute(
      "DELETE FROM deleted_tenants WHERE sequence <= ?",
      arguments: [transaction.lastInsertedRowID - kept])
  }

  static func isDeleted(
    _ tenantId: String, of projectId: String, in transaction: Transaction
  ) throws(APIError) -> Bool {
    try transaction.first(
      "SELECT 1 FROM deleted_tenants WHERE tenant = ? AND project = ?",
      arguments: [tenantId, projectId]
    ) { _ in true } ?? false
  }
}
