package import HearthErrors
import HearthOperations
import HearthSQLite
package import HearthWire

/// A provider configuration with all that an export needs to put it back.
package struct StoredIdpConfig: Sendable {
  static let kinds: [any IdpConfigKind.Type] = [
    OauthIdpConfigs.self, InboundSamlConfigs.self, DefaultSupportedIdpConfigs.self,
  ]

  /// Nil for the project's own.
  package let tenantId: String?
  package let kind: any IdpConfigKind.Type
  package let id: String
  package let config: JSONObject

  init(tenantId: String?, kind: any IdpConfigKind.Type, id: String, config: JSONObject) {
    self.tenantId = tenantId
    self.kind = kind
    self.id = id
    self.config = config
  }

  /// - Returns: nil for what is not ours.
  package init?(_ json: JSON) {
    let kind = Self.kinds.first { $0.collection == json["kind"]?.string }
    guard let kind, let id = json["id"]?.string, let config = json["config"]?.object else {
      return nil
    }
    self.init(
      tenantId: (json["tenantId"]?.string).nonEmpty, kind: kind, id: id, config: config)
  }

  package var json: JSON {
    .members([
      "tenantId": tenantId.json, "kind": .string(kind.collection), "id": .string(id),
      "config": .object(config),
    ])
  }
}

extension IdpConfigs {
  /// All configurations of the project and of its tenants.
  package func all() throws(APIError) -> [StoredIdpConfig] {
    try transaction.all(
      """
      SELECT tenant, kind, id, record FROM idp_configs WHERE project = ?
      ORDER BY tenant, kind, id
      """,
      arguments: [projectId]
    ) { row in
      let kind: String = row[1]
      return StoredIdpConfig(
        .members([
          "tenantId": .string(row[0]), "kind": .string(kind), "id": .string(row[2]),
          "config": try JSON.parse(row[3] as String),
        ]))
    }.compactMap(\.self)
  }
}
