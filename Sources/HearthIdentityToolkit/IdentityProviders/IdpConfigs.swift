import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// The provider configurations of a project or tenant.
extension ProjectTransaction {
  func idpConfig(_ kind: any IdpConfigKind.Type, _ id: String) throws(APIError) -> JSONObject? {
    try transaction.first(
      "SELECT record FROM idp_configs WHERE project = ? AND tenant = ? AND kind = ? AND id = ?",
      [projectId, tenantKey, kind.collection, id]
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
    return try idpConfig(kind, id)?["displayName"]?.string.nonEmpty
  }

  func idpConfigs(
    _ kind: any IdpConfigKind.Type, _ page: Page
  ) throws(APIError) -> [(id: String, record: JSON)] {
    try transaction.all(
      """
      SELECT id, record FROM idp_configs
      WHERE project = ? AND tenant = ? AND kind = ? AND id > ? ORDER BY id LIMIT ?
      """,
      [projectId, tenantKey, kind.collection, page.after, page.limit]
    ) { (id: $0[0], record: try JSON.parse($0[1] as String)) }
  }

  /// Stores a configuration under its resource name.
  func saveIdpConfig(
    _ kind: any IdpConfigKind.Type, _ id: String, _ config: JSONObject
  ) throws(APIError) -> JSONObject {
    let owner = "projects/\(projectId)" + (tenantId.map { "/tenants/\($0)" } ?? "")
    var record = JSONObject(["name": .string("\(owner)/\(kind.collection)/\(id)")])
    record.merge(config)
    record["name"] = .string("\(owner)/\(kind.collection)/\(id)")
    record["targetProjectId"] = nil
    record["tenantId"] = nil
    record = record.omittingFalse(in: "responseType")
    if try answersAsProduction {
      try ProductionIdpConfigs.check(kind, id, record)
    } else {
      try kind.check(id: id, record)
    }
    try transaction.execute(
      "INSERT OR REPLACE INTO idp_configs (project, tenant, kind, id, record) VALUES (?, ?, ?, ?, ?)",
      [projectId, tenantKey, kind.collection, id, JSON.object(record).text])
    return record
  }

  func deleteIdpConfig(_ kind: any IdpConfigKind.Type, _ id: String) throws(APIError) {
    try transaction.execute(
      "DELETE FROM idp_configs WHERE project = ? AND tenant = ? AND kind = ? AND id = ?",
      [projectId, tenantKey, kind.collection, id])
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
    guard let config = try idpConfig(kind, providerId) else {
      guard try switches().strictProviders else { return }
      throw APIError(.operationNotAllowed, "The identity provider configuration is not found.")
    }
    // In production what does not say that it is enabled is not.
    let isOff = try answersAsProduction ? config["enabled"]?.bool != true : false
    if isOff || config["enabled"]?.bool == false {
      throw APIError(.operationNotAllowed, "The identity provider configuration is disabled.")
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
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let isProduction = try project.answersAsProduction
    guard let id = isProduction ? request.id ?? "" : request.id else {
      throw APIError(.invalidProviderId, "\(Kind.idParameter) is missing")
    }
    if try project.idpConfig(Kind.self, id) != nil {
      throw isProduction
        ? ProductionIdpConfigs.exists(Kind.self, id) : APIError(.configurationExists)
    }
    let config = try project.saveIdpConfig(Kind.self, id, request.config)
    return .json(try project.shown(config, Kind.self, id))
  }
}

/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.oauthIdpConfigs/get
enum GetIdpConfig<Kind: IdpConfigKind>: Operation {
  struct Request: OperationRequest {
    let id: String

    init(_ wire: WireRequest) { id = wire.path[Kind.idVariable] ?? "" }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    guard let config = try project.idpConfig(Kind.self, request.id) else {
      throw APIError(.configurationNotFound)
    }
    return .json(try project.shown(config, Kind.self, request.id))
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
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let page = request.page
    let configs = try project.idpConfigs(Kind.self, page)
    var answer = JSONObject()
    if !configs.isEmpty {
      var shown: [JSON] = []
      for config in configs {
        guard let record = config.record.object else { continue }
        shown.append(.object(try project.shown(record, Kind.self, config.id)))
      }
      answer.append(Kind.collection, .array(shown))
    }
    if let next = page.next(after: configs.last?.id, count: configs.count) {
      answer.append("nextPageToken", .string(next))
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
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    guard let known = try project.idpConfig(Kind.self, request.id) else {
      throw APIError(.configurationNotFound)
    }
    let changed: JSONObject
    if request.mask.isEmpty {
      changed = request.config
    } else if try project.answersAsProduction {
      changed = request.mask.replace(in: known, from: request.config)
    } else {
      changed = request.mask.copy(from: request.config, into: known)
    }
    let config = try project.saveIdpConfig(Kind.self, request.id, changed)
    return .json(try project.shown(config, Kind.self, request.id))
  }
}

/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.oauthIdpConfigs/delete
enum DeleteIdpConfig<Kind: IdpConfigKind>: Operation {
  struct Request: OperationRequest {
    let id: String

    init(_ wire: WireRequest) { id = wire.path[Kind.idVariable] ?? "" }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.deleteIdpConfig(Kind.self, request.id)
    return .json([:])
  }
}
