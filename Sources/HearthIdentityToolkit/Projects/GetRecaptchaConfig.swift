import HearthErrors
import HearthOperations
import HearthWire

/// Tells clients which of their calls need a reCAPTCHA token: none is ever checked here, so none
/// is asked for unless the configuration says so.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/v2/getRecaptchaConfig
enum GetRecaptchaConfig: Operation {
  struct Request: OperationRequest {
    let tenantId: String?
    /// As the keys of a configuration name it: `WEB`, `ANDROID` or `IOS`.
    let platform: String
    /// Whether the client says what it is, and which version it knows.
    let hasClientType: Bool
    let hasVersion: Bool

    /// What `clientType` stands for, by its name or its number.
    private static let platforms = [
      "CLIENT_TYPE_ANDROID": "ANDROID", "2": "ANDROID", "CLIENT_TYPE_IOS": "IOS", "3": "IOS",
    ]

    init(_ wire: WireRequest) {
      tenantId = wire.query["tenantId"].nonEmpty
      platform = Self.platforms[wire.query["clientType"] ?? ""] ?? "WEB"
      hasClientType = wire.query["clientType"].isGiven
      hasVersion = wire.query["version"].isGiven
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let owner = request.tenantId.map(project.inTenant) ?? project
    let config = try owner.recaptchaConfig()
    if try project.answers == .production {
      guard request.hasClientType else { throw APIError(.missingClientType) }
      guard request.hasVersion else { throw APIError(.missingRecaptchaVersion) }
      return .json(recorded(config, for: request.platform, project.projectId))
    }
    func state(_ provider: String, member: String) -> JSON {
      .members([
        "provider": .string(provider),
        "enforcementState": config?[member] ?? "OFF",
      ])
    }
    return .json([
      "recaptchaKey": .string(key(of: config, for: request.platform, project.projectId)),
      "recaptchaEnforcementState": [
        state("EMAIL_PASSWORD_PROVIDER", member: "emailPasswordEnforcementState"),
        state("PHONE_PROVIDER", member: "phoneEnforcementState"),
      ],
      "useSmsBotScore": config?["useSmsBotScore"],
      "useSmsTollFraudProtection": config?["useSmsTollFraudProtection"],
    ])
  }

  /// The answer as production was recorded: without a key where none is configured.
  private static func recorded(
    _ config: JSON?, for platform: String, _ projectId: String
  ) -> JSONObject {
    func state(_ provider: String, member: String) -> JSON {
      let state = config?[member]?.string ?? ""
      return .members([
        "provider": .string(provider),
        "enforcementState": .string(
          states.contains(state) ? state : "ENFORCEMENT_STATE_UNSPECIFIED"),
      ])
    }
    let hasKey = configuredKey(of: config, for: platform) != nil
    return JSONObject([
      "recaptchaKey": hasKey ? .string(key(of: config, for: platform, projectId)) : nil,
      "recaptchaEnforcementState": [
        state("EMAIL_PASSWORD_PROVIDER", member: "emailPasswordEnforcementState"),
        state("PHONE_PROVIDER", member: "phoneEnforcementState"),
      ],
      "useSmsBotScore": config?["useSmsBotScore"] ?? false,
      "useSmsTollFraudProtection": config?["useSmsTollFraudProtection"] ?? false,
    ])
  }

  private static let states = ["OFF", "AUDIT", "ENFORCE"]

  private static func configuredKey(of config: JSON?, for platform: String) -> String? {
    let keys = config?["recaptchaKeys"]?.array ?? []
    return keys.first { $0["type"]?.string == platform }?["key"]?.string.nonEmpty
  }

  /// The key that is configured for the platform, else one that is obviously fake. SDKs look for its
  /// id after `projects/…/keys/`.
  private static func key(
    of config: JSON?, for platform: String, _ projectId: String
  ) -> String {
    let key = configuredKey(of: config, for: platform)
    guard let key, key.contains("/") else {
      return "projects/\(projectId)/keys/\(key ?? "hearth-fake-key")"
    }
    return key
  }
}

extension ProjectTransaction {
  /// The tenant's settings, or the project's where it has none.
  fileprivate func recaptchaConfig() throws(APIError) -> JSON? {
    if let own = try tenant()?.record["recaptchaConfig"] { return own }
    return try settings().config["recaptchaConfig"]
  }
}
