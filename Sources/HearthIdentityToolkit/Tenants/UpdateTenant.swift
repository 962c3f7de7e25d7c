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
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try PasswordPolicy.check(request.tenant["passwordPolicyConfig"])
    guard var tenant = try Tenants(in: project).known() else {
      throw APIError(.hint, message: "((Can only update tenant on tenant projects.))")
    }
    switch try project.answers {
    case .emulator:
      if request.mask.isEmpty {
        tenant = .created(tenant.tenantId, of: project.projectId, as: request.tenant)
      } else {
        tenant.record = request.mask.copy(from: request.tenant, into: tenant.record)
          .omittingFalse(in: "emailPrivacyConfig")
      }
      try tenant.save(of: project.projectId, in: project.transaction)
      return .json(tenant.record)
    case .production:
      tenant.record = try changed(
        tenant, request: request, projectId: project.projectId, context: context)
      try tenant.save(of: project.projectId, in: project.transaction)
      return .json(TenantRecord.shown(tenant, withHash: false))
    }
  }

  /// The record as production changes it: a mask also clears, and without one all is replaced.
  private static func changed(
    _ tenant: TenantSettings, request: Request, projectId: String, context: Context
  ) throws(APIError) -> JSONObject {
    if request.mask.isEmpty || request.mask.paths.contains(["displayName"]) {
      _ = try TenantRecord.checkedName(request.tenant)
    }
    let stored =
      request.mask.isEmpty
      ? request.tenant : request.mask.replace(in: tenant.record, from: request.tenant)
    return TenantRecord.record(stored, tenantId: tenant.tenantId, of: projectId, context: context)
  }
}
