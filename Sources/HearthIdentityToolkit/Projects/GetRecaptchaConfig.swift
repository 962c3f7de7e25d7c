import HearthErrors
import HearthOperations
import HearthWire

/// Tells clients which of their calls need a reCAPTCHA token: none is ever checked here, so none
/// is asked for unless the configuration says so.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/v2/getRecaptchaConfig
enum GetRecaptchaConfig: Operation {
  struct Request: OperationRequest {
    let tenantId: String?

    init(_ wire: WireRequest) { tenantId = wire.query["tenantId"].nonEmpty }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let owner = request.tenantId.map(project.inTenant) ?? project
    let config = try owner.recaptchaConfig()
    func state(_ provider: String, _ member: String) -> JSON {
      .members([
        "provider": .string(provider),
        "enforcementState": config?[member] ?? "OFF",
      ])
    }
    return .json([
      "recaptchaKey": .string("projects/\(project.projectId)/keys/hearth-fake-key"),
      "recaptchaEnforcementState": [
        state("EMAIL_PASSWORD_PROVIDER", "emailPasswordEnforcementState"),
        state("PHONE_PROVIDER", "phoneEnforcementState"),
      ],
      "useSmsBotScore": config?["useSmsBotScore"],
      "useSmsTollFraudProtection": config?["useSmsTollFraudProtection"],
    ])
  }
}

extension ProjectTransaction {
  /// The tenant's settings, or the project's where it has none.
  fileprivate func recaptchaConfig() throws(APIError) -> JSON? {
    if let own = try tenant()?.record["recaptchaConfig"] { return own }
    return try settings().config["recaptchaConfig"]
  }
}
