import HearthErrors
import HearthOperations
import HearthWire

/// Shows the password policy to clients.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/v2/getPasswordPolicy
enum GetPasswordPolicy: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let owner = request.query["tenantId"].nonEmpty.map(project.inTenant) ?? project
    return .json(try owner.passwordPolicy().json)
  }
}
