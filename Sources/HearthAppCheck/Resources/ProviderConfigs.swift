package import HearthErrors
package import HearthOperations
import HearthWire

/// How an app attests itself, such as `recaptchaV3Config`.
/// https://firebase.google.com/docs/reference/appcheck/rest/v1/projects.apps.recaptchaV3Config
struct ProviderConfig {
  let id: String
  let fields: [String]
  /// A field that is taken and never shown, and the one that says whether it is set.
  var secret: (field: String, isSet: String)?

  static let all = [
    ProviderConfig(id: "appAttestConfig", fields: []),
    ProviderConfig(
      id: "deviceCheckConfig", fields: ["keyId"], secret: ("privateKey", "privateKeySet")),
    ProviderConfig(
      id: "playIntegrityConfig", fields: ["appIntegrity", "deviceIntegrity", "accountDetails"]),
    ProviderConfig(id: "recaptchaEnterpriseConfig", fields: ["siteKey", "riskAnalysis"]),
    ProviderConfig(
      id: "recaptchaV3Config", fields: ["minValidScore"], secret: ("siteSecret", "siteSecretSet")),
    ProviderConfig(id: "safetyNetConfig", fields: []),
  ]

  static func find(_ request: WireRequest) throws(APIError) -> ProviderConfig {
    let id = request.path["config"] ?? ""
    guard let config = all.first(where: { $0.id == id }) else {
      throw AppCheckAdmin.notFound(id)
    }
    return config
  }

  /// What is not set has defaults.
  func json(_ record: JSONObject?, of app: String, in project: String) -> JSONObject {
    var shown = JSONObject([
      "name": .string("projects/\(project)/apps/\(app)/\(id)"),
      "tokenTtl": record?["tokenTtl"] ?? "3600s",
    ])
    for field in fields { shown[field] = record?[field] }
    if let secret, record?[secret.field] != nil { shown[secret.isSet] = true }
    return shown
  }

  func check(_ record: JSONObject) throws(APIError) {
    guard let ttl = record["tokenTtl"] else { return }
    guard let seconds = ttl.string.flatMap(AppCheckClaims.seconds),
      AppCheckClaims.lifetimes.contains(seconds)
    else {
      throw APIError(.invalidArgument, message: "token_ttl must be from 30 minutes to 7 days.")
    }
  }
}

package enum GetProviderConfig: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let (config, app) = (try ProviderConfig.find(request), try AppID.check(request))
    let record = try AppCheckRecords(in: project).record(.config, named: "\(app)/\(config.id)")
    return .json(config.json(record, of: app, in: project.projectId))
  }
}

package enum UpdateProviderConfig: Operation {
  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let (config, app) = (try ProviderConfig.find(request), try AppID.check(request))
    let records = AppCheckRecords(in: project)
    let name = "\(app)/\(config.id)"
    let record = try AppCheckAdmin.update(
      try records.record(.config, named: name) ?? JSONObject(), with: request.body,
      mask: request.query["updateMask"],
      allowing: ["tokenTtl"] + config.fields + (config.secret.map { [$0.field] } ?? []))
    try config.check(record)
    try records.save(record, as: .config, named: name)
    return .json(config.json(record, of: app, in: project.projectId))
  }
}

/// The same provider of several apps.
package enum BatchGetProviderConfigs: Operation {
  private static let most = 100

  package static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try AppCheckAdmin.check(context)
    let config = try ProviderConfig.find(request)
    let names = request.query.values(of: "names")
    guard names.count <= most else {
      throw APIError(.invalidArgument, message: "At most \(most) names.")
    }
    let records = AppCheckRecords(in: project)
    var found: [JSON] = []
    for name in names {
      let parts = name.split(separator: "/")
      guard parts.count == 5, parts[2] == "apps", parts[4] == config.id else {
        throw APIError(.invalidArgument, message: "Invalid name: \(name.prefix(200))")
      }
      let app = try AppID.check(String(parts[3]))
      let record = try records.record(.config, named: "\(app)/\(config.id)")
      found.append(.object(config.json(record, of: app, in: project.projectId)))
    }
    return .json(["configs": found.isEmpty ? nil : .array(found)])
  }
}
