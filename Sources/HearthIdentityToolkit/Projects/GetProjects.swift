import HearthErrors
import HearthOperations
import HearthWire

/// What a client may know of its project.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/v1/getProjects
enum GetProjects: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    if project.tenantId != nil { throw APIError(.unsupportedTenantOperation) }
    return .json([
      "projectId": .string(Token.projectNumber),
      "authorizedDomains": .strings(try AuthorizedDomains(in: project).authorizedDomains),
    ])
  }
}
