import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// What an import may change of a project besides its users: settings, tenants and providers.
struct ProjectFacts {
  private let settings: ProjectSettings
  let tenants: [TenantSettings]
  private let idpConfigs: [StoredIdpConfig]

  init(of project: ProjectTransaction) throws(APIError) {
    settings = try project.settings()
    tenants = try Tenants(in: project).all()
    idpConfigs = try IdpConfigs(in: project).all()
  }

  /// The first line of the extra file.
  var json: JSON {
    .members([
      "config": .object(settings.config),
      "switches": settings.switches.json,
      "tenants": .array(tenants.map { .object($0.record) }),
      "idpConfigs": .array(idpConfigs.map(\.json)),
    ])
  }

  var emulatorConfig: JSON { .object(settings.emulatorConfig) }

  /// Restores what ``json`` wrote. New tenants go into the journal before they are created.
  static func restore(
    _ facts: JSON, in project: ProjectTransaction, journal: ImportJournal? = nil
  ) throws(APIError) {
    var settings = try project.settings()
    if let config = facts["config"]?.object { settings.config = config }
    try settings.switches.update(facts["switches"]?.object ?? JSONObject())
    try project.save(settings)
    for tenant in facts["tenants"]?.array ?? [] {
      guard let id = (tenant["tenantId"]?.string).nonEmpty, let record = tenant.object else {
        continue
      }
      var settings = TenantSettings(tenantId: id, record: record)
      settings.rename(in: project.projectId)
      try journal?.note(tenant: id, in: project)
      try settings.save(of: project.projectId, in: project.transaction)
    }
    for json in facts["idpConfigs"]?.array ?? [] {
      guard let stored = StoredIdpConfig(json) else { continue }
      _ = try IdpConfigs(in: project.inTenant(stored.tenantId))
        .save(stored.kind, id: stored.id, config: stored.config)
    }
  }
}
