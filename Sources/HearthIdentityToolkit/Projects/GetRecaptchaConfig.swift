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

    /// What `clientType` stands for, by its name or its number.
    private static let platforms = [
      "CLIENT_TYPE_ANDROID": "ANDROID", "2": "ANDROID", "CLIENT_TYPE_IOS": "IOS", "3": "IOS",
    ]

    init(_ wire: WireRequest) {
      tenantId = wire.query["tenantId"].nonEmpty
      platform = Self.platforms[wire.query["clientType"] ?? ""] ?? "WEB"
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let owner = request.tenantId.map(project.inTenant) ?? project
    let config = try owner.recaptchaConfig()
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

  /// The key that is configured for the platform, else one that is obviously fake. SDKs look for its
  /// id after `projects/…/keys/`.
  private static func key(
    of config: JSON?, for platform: String, _ projectId: String
  ) -> String {
    let keys = config?["recaptchaKeys"]?.array ?? []
    let key = keys.first { $0["type"]?.string == platform }?["key"]?.string.nonEmpty
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
