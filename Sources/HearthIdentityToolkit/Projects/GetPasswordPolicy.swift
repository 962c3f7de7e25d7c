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
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let owner = request.tenantId.map(project.inTenant) ?? project
    let policy = try PasswordPolicies(in: owner).current()
    return switch try project.answers {
    case .emulator: .json(policy.json)
    case .production: .json(policy.effectiveJSON)
    }
  }
}
