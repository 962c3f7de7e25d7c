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
    guard var tenant = try project.knownTenant() else {
      throw APIError(.hint, message: "((Can only update tenant on tenant projects.))")
    }
    if try project.answersAsProduction {
      tenant.record = try changed(tenant, request, project.projectId, context)
      try tenant.save(of: project.projectId, in: project.transaction)
      return .json(ProductionTenant.shown(tenant, withHash: false))
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

  /// The record as production changes it: a mask also clears, and without one all is replaced.
  private static func changed(
    _ tenant: TenantSettings, _ request: Request, _ projectId: String, _ context: Context
  ) throws(APIError) -> JSONObject {
    if request.mask.isEmpty || request.mask.paths.contains(["displayName"]) {
      _ = try ProductionTenant.checkedName(request.tenant)
    }
    let stored =
      request.mask.isEmpty
      ? request.tenant : request.mask.replace(in: tenant.record, from: request.tenant)
    return ProductionTenant.record(stored, tenant.tenantId, of: projectId, context)
  }
}
