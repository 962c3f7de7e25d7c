import HearthErrors
import HearthOperations
import HearthWire

/// Shows the password policy to clients.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/v2/getPasswordPolicy
enum GetPasswordPolicy: Operation {
  struct Request: OperationRequest {
    let tenantId: String?

    init(_ wire: WireRequest) { tenantId = wire.query["tenantId"].nonEmpty }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let owner = request.tenantId.map(project.inTenant) ?? project
    let policy = try owner.passwordPolicy()
    return .json(try project.answersAsProduction ? policy.productionJSON : policy.json)
  }
}
