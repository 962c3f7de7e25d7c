import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire

/// Creates a tenant.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants/create
enum CreateTenant: Operation {
  struct Request: OperationRequest {
    let tenant: JSONObject

    init(_ wire: WireRequest) { tenant = wire.body }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try PasswordPolicy.check(request.tenant["passwordPolicyConfig"])
    if project.tenantId != nil {
      // Observed: naming the tenant here creates it all the same.
      _ = try project.tenant()
      throw APIError(.tenantInProject).keepingWrites
    }
    switch try project.answers {
    case .emulator:
      let tenant = TenantSettings.created(
        context.random.alphanumeric(28), of: project.projectId, as: request.tenant)
      try tenant.save(of: project.projectId, in: project.transaction)
      return .json(tenant.record)
    case .production:
      let name = try TenantRecord.checkedName(request.tenant)
      let id = TenantRecord.newId(name, context: context)
      let tenant = TenantSettings(
        tenantId: id,
        record: TenantRecord.record(
          request.tenant, tenantId: id, of: project.projectId, context: context))
      try tenant.save(of: project.projectId, in: project.transaction)
      return .json(TenantRecord.shown(tenant, withHash: false))
    }
  }
}

extension TenantSettings {
  /// A tenant as it was asked for: what is not said is off.
  static func created(
    _ tenantId: String, of projectId: String, as body: JSONObject
  ) -> TenantSettings {
    var mfa = body["mfaConfig"]?.object ?? JSONObject()
    if !(mfa["state"]?.isTruthy ?? false) { mfa["state"] = "DISABLED" }
    if !(mfa["enabledProviders"]?.isTruthy ?? false) { mfa["enabledProviders"] = [] }
    return TenantSettings(
      tenantId: tenantId,
      record: JSONObject([
        "name": .string("projects/\(projectId)/tenants/\(tenantId)"),
        "tenantId": .string(tenantId),
        "displayName": body["displayName"],
        "allowPasswordSignup": body["allowPasswordSignup"] ?? false,
        "disableAuth": body["disableAuth"] ?? false,
        "enableAnonymousUser": body["enableAnonymousUser"] ?? false,
        "enableEmailLinkSignin": body["enableEmailLinkSignin"] ?? false,
        "mfaConfig": .object(mfa),
        "passwordPolicyConfig": body["passwordPolicyConfig"],
        "emailPrivacyConfig": body["emailPrivacyConfig"],
      ]).omittingFalse(in: "emailPrivacyConfig"))
  }
}
