import HearthErrors
import HearthOperations

/// Deletes a tenant with its accounts, codes and settings.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants/delete
enum DeleteTenant: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard project.tenantId != nil else {
      throw APIError(.hint, message: "((Can only delete tenant on tenant projects.))")
    }
    _ = try Tenants(in: project).known()
    try Tenants(in: project).delete()
    return .json([:])
  }
}
