import HearthErrors
import HearthOperations
import HearthWire

/// Changes a tenant, wholly or where a mask says.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants/patch
enum UpdateTenant: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try PasswordPolicy.check(request.body["passwordPolicyConfig"])
    guard var tenant = try project.tenant() else {
      throw APIError(.hint, message: "((Can only update tenant on tenant projects.))")
    }
    let mask = FieldMask(request.query["updateMask"] ?? "")
    if mask.isEmpty {
      tenant = .created(tenant.tenantId, of: project.projectId, as: request.body)
    } else {
      tenant.record = mask.copy(from: request.body, into: tenant.record)
        .omittingFalse(in: "emailPrivacyConfig")
    }
    try tenant.save(of: project.projectId, in: project.transaction)
    return .json(tenant.record)
  }
}
