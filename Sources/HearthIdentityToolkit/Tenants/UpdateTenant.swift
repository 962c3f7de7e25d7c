import HearthErrors
import HearthOperations
import HearthWire

/// Changes a tenant, wholly or where a mask says.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants/patch
enum UpdateTenant: Operation {
  struct Request: OperationRequest {
    let tenant: JSONObject
    let mask: FieldMask

    init(_ wire: WireRequest) {
      tenant = wire.body
      mask = FieldMask(wire.query["updateMask"] ?? "")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try PasswordPolicy.check(request.tenant["passwordPolicyConfig"])
    guard var tenant = try project.tenant() else {
      throw APIError(.hint, message: "((Can only update tenant on tenant projects.))")
    }
    if request.mask.isEmpty {
      tenant = .created(tenant.tenantId, of: project.projectId, as: request.tenant)
    } else {
      tenant.record = request.mask.copy(from: request.tenant, into: tenant.record)
        .omittingFalse(in: "emailPrivacyConfig")
    }
    try tenant.save(of: project.projectId, in: project.transaction)
    return .json(tenant.record)
  }
}
