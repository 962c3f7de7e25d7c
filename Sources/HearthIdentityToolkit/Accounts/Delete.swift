import HearthErrors
import HearthOperations
import HearthWire

/// Deletes an account.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/delete
enum Delete: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let localId: String?

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      localId = wire.string("localId")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if case .admin = context.caller {
      guard let localId = request.localId.nonEmpty else {
        throw APIError(.missingLocalId)
      }
      guard let user = try project.user(localId: localId) else { throw APIError(.userNotFound) }
      try project.delete(user)
      project.publishDeleted(user, context)
    } else {
      guard request.idToken.isGiven else { throw APIError(.missingIDToken) }
      let presented = try project.userOfToken(context)
      try project.requireClientPermission(.deletion)
      try project.requireRecentLogin(presented.claims, context)
      try project.delete(presented.user)
      project.publishDeleted(presented.user, context)
    }
    return .json(["kind": "identitytoolkit#DeleteAccountResponse"])
  }
}
