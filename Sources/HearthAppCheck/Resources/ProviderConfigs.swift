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
    _ = try AppCheckClaims.lifetime(record["tokenTtl"], named: "token_ttl")
    for (name, value) in record.members where name != "tokenTtl" {
      guard Self.kinds[name]?.fits(value) == true else {
        throw .invalidFields([
          (name, "Invalid value at '\(name)', \(value.text.prefix(200))")
        ])
      }
    }
  }

  private enum Kind: Sendable {
    case text, flag, score
    case oneOf([String])
    /// An object of one member.
    indirect case holding(String, Kind)

    func fits(_ value: JSON) -> Bool {
      switch (self, value) {
      case (.text, .string), (.flag, .bool): true
      case (.score, .int(let score)): (0...1).contains(score)
      case (.score, .double(let score)): (0...1).contains(score)
      case (.oneOf(let names), .string(let name)): names.contains(name)
      case (.holding(let name, let kind), .object(let object)):
        object.members.allSatisfy { $0.key == name && kind.fits($0.value) }
      default: false
      }
    }
  }

  private static let kinds: [String: Kind] = [
    "keyId": .text, "privateKey": .text, "siteKey": .text, "siteSecret": .text,
    "minValidScore": .score, "riskAnalysis": .holding("minValidScore", .score),
    "appIntegrity": .holding("allowUnrecognizedVersion", .flag),
    "accountDetails": .holding("requireLicensed", .flag),
    "deviceIntegrity": .holding(
      "minDeviceRecognitionLevel",
      .oneOf([
        "DEVICE_RECOGNITION_LEVEL_UNSPECIFIED", "NO_INTEGRITY", "MEETS_BASIC_INTEGRITY",
        "MEETS_DEVICE_INTEGRITY", "MEETS_STRONG_INTEGRITY",
      ])),
  ]
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
      let parts = try AppCheckAdmin.parts(
        of: name, in: project.projectId, as: ["apps", nil, config.id])
      let app = try AppID.check(parts[1])
      let record = try records.record(.config, named: "\(app)/\(config.id)")
      found.append(.object(config.json(record, of: app, in: project.projectId)))
    }
    return .json(["configs": found.isEmpty ? nil : .array(found)])
  }
}
