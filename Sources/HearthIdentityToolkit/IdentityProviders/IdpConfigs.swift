package import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTokens
package import HearthWire

/// The provider configurations of a project or tenant.
package struct IdpConfigs: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

/// The provider configurations of a project or tenant.
extension IdpConfigs {
  func config(_ kind: any IdpConfigKind.Type, id: String) throws(APIError) -> JSONObject? {
    try transaction.first(
      "SELECT record FROM idp_configs WHERE project = ? AND tenant = ? AND kind = ? AND id = ?",
      arguments: [projectId, tenantKey, kind.collection, id]
    ) { try JSON.parse($0[0] as String).object ?? JSONObject() }
  }

  /// The display name of a provider of OpenID Connect or SAML.
  func configuredName(ofProvider id: String) throws(APIError) -> String? {
    let kind: any IdpConfigKind.Type
    switch id.prefix(5) {
    case "oidc.": kind = OauthIdpConfigs.self
    case "saml.": kind = InboundSamlConfigs.self
    default: return nil
    }
    return try config(kind, id: id)?["displayName"]?.string.nonEmpty
  }

  func page(
    _ kind: any IdpConfigKind.Type, page: Page
  ) throws(APIError) -> [(id: String, record: JSON)] {
    try transaction.all(
      """
      SELECT id, record FROM idp_configs
      WHERE project = ? AND tenant = ? AND kind = ? AND id > ? ORDER BY id LIMIT ?
      """,
      arguments: [projectId, tenantKey, kind.collection, page.after, page.limit]
    ) { (id: $0[0], record: try JSON.parse($0[1] as String)) }
  }

  /// Stores a configuration under its resource name.
  package func save(
    _ kind: any IdpConfigKind.Type, id: String, config: JSONObject
  ) throws(APIError) -> JSONObject {
    let owner = "projects/\(projectId)" + (tenantId.map { "/tenants/\($0)" } ?? "")
    var record = JSONObject(["name": .string("\(owner)/\(kind.collection)/\(id)")])
    record.merge(config)
    record["name"] = .string("\(owner)/\(kind.collection)/\(id)")
    record["targetProjectId"] = nil
    record["tenantId"] = nil
    record = record.omittingFalse(in: "responseType")
    try rules().check(record, of: kind, id: id)
    try transaction.execute(
      "INSERT OR REPLACE INTO idp_configs (project, tenant, kind, id, record) VALUES (?, ?, ?, ?, ?)",
      arguments: [projectId, tenantKey, kind.collection, id, JSON.object(record).text])
    return record
  }

  func delete(_ kind: any IdpConfigKind.Type, id: String) throws(APIError) {
    try transaction.execute(
      "DELETE FROM idp_configs WHERE project = ? AND tenant = ? AND kind = ? AND id = ?",
      arguments: [projectId, tenantKey, kind.collection, id])
    guard transaction.changedRows > 0 else { throw APIError(.configurationNotFound) }
  }

  /// Whether ID tokens of providers have to be signed by them.
  var verifiesIdTokens: Bool {
    get throws(APIError) { server.idpKeys.isEmpty ? false : try switches().strictProviders }
  }

  /// A provider that is configured, and switched off, is refused; one that nobody configured too,
  /// where providers are strict.
  func requireProviderEnabled(_ providerId: String) throws(APIError) {
    let kind: any IdpConfigKind.Type
    switch providerId.prefix(5) {
    case "oidc.": kind = OauthIdpConfigs.self
    case "saml.": kind = InboundSamlConfigs.self
    default: kind = DefaultSupportedIdpConfigs.self
    }
    guard let config = try config(kind, id: providerId) else {
      // Tests sign in with Google and the like without a configuration.
      let isNeeded = try answers == .production && kind != DefaultSupportedIdpConfigs.self
      if try !switches().strictProviders, !isNeeded { return }
      throw APIError(
        .operationNotAllowed, detail: "The identity provider configuration is not found.")
    }
    guard try rules().isEnabled(config) else {
      throw APIError(
        .operationNotAllowed, detail: "The identity provider configuration is disabled.")
    }
  }
}

/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.oauthIdpConfigs/create
enum CreateIdpConfig<Kind: IdpConfigKind>: Operation {
  struct Request: OperationRequest {
    let id: String?
    let config: JSONObject

    init(_ wire: WireRequest) {
      id = wire.query[Kind.idParameter].nonEmpty
      config = wire.body
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let rules = try IdpConfigs(in: project).rules()
    let id = try rules.newId(request.id, of: Kind.self)
    if try IdpConfigs(in: project).config(Kind.self, id: id) != nil {
      throw rules.exists(id, of: Kind.self)
    }
    let config = try IdpConfigs(in: project).save(Kind.self, id: id, config: request.config)
    return .json(try IdpConfigs(in: project).shown(config, of: Kind.self, id: id))
  }
}

/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.oauthIdpConfigs/get
enum GetIdpConfig<Kind: IdpConfigKind>: Operation {
  struct Request: OperationRequest {
    let id: String

    init(_ wire: WireRequest) { id = wire.path[Kind.idVariable] ?? "" }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard let config = try IdpConfigs(in: project).config(Kind.self, id: request.id) else {
      throw APIError(.configurationNotFound)
    }
    return .json(try IdpConfigs(in: project).shown(config, of: Kind.self, id: request.id))
  }
}

/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.oauthIdpConfigs/list
enum ListIdpConfigs<Kind: IdpConfigKind>: Operation {
  struct Request: OperationRequest {
    let page: Page

    init(_ wire: WireRequest) {
      page = Page(size: wire.query["pageSize"], token: wire.query["pageToken"], largest: 100)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let page = request.page
    let configs = try IdpConfigs(in: project).page(Kind.self, page: page)
    var answer = JSONObject()
    if !configs.isEmpty {
      var shown: [JSON] = []
      for config in configs {
        guard let record = config.record.object else { continue }
        shown.append(
          .object(try IdpConfigs(in: project).shown(record, of: Kind.self, id: config.id)))
      }
      answer.append(Kind.collection, value: .array(shown))
    }
    if let next = page.next(after: configs.last?.id, count: configs.count) {
      answer.append("nextPageToken", value: .string(next))
    }
    return .json(answer)
  }
}

/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.oauthIdpConfigs/patch
enum UpdateIdpConfig<Kind: IdpConfigKind>: Operation {
  struct Request: OperationRequest {
    let id: String
    let config: JSONObject
    let mask: FieldMask

    init(_ wire: WireRequest) {
      id = wire.path[Kind.idVariable] ?? ""
      config = wire.body
      mask = FieldMask(wire.query["updateMask"] ?? "")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard let known = try IdpConfigs(in: project).config(Kind.self, id: request.id) else {
      throw APIError(.configurationNotFound)
    }
    let changed =
      request.mask.isEmpty
      ? request.config
      : try IdpConfigs(in: project).rules().change(known, by: request.config, where: request.mask)
    let config = try IdpConfigs(in: project).save(Kind.self, id: request.id, config: changed)
    return .json(try IdpConfigs(in: project).shown(config, of: Kind.self, id: request.id))
  }
}

/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.oauthIdpConfigs/delete
enum DeleteIdpConfig<Kind: IdpConfigKind>: Operation {
  struct Request: OperationRequest {
    let id: String

    init(_ wire: WireRequest) { id = wire.path[Kind.idVariable] ?? "" }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try IdpConfigs(in: project).delete(Kind.self, id: request.id)
    return .json([:])
  }
}
