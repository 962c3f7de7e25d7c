import HearthErrors
import HearthOperations

/// Shows a tenant, and creates it if there is none of that id.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants/get
enum GetTenant: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard let tenant = try Tenants(in: project).known() else {
      throw APIError(.hint, message: "((Can only get tenant on tenant projects.))")
    }
    return switch try project.answers {
    case .emulator: .json(tenant.record)
    case .production: .json(TenantRecord.shown(tenant, withHash: true))
    }
  }
}
