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
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if case .admin = context.caller {
      guard let localId = request.localId.nonEmpty else {
        throw APIError(.missingLocalId)
      }
      guard let user = try Accounts(in: project).user(localId: localId) else {
        throw APIError(.userNotFound)
      }
      try Accounts(in: project).delete(user)
      Accounts(in: project).publishDeleted(user, context: context)
    } else {
      guard request.idToken.isGiven else { throw APIError(.missingIDToken) }
      let presented = try Sessions(in: project).userOfToken(context)
      try project.requireClientPermission(.deletion)
      try Sessions(in: project).requireRecentLogin(presented.claims, context: context)
      try Accounts(in: project).delete(presented.user)
      Accounts(in: project).publishDeleted(presented.user, context: context)
    }
    return .json(["kind": "identitytoolkit#DeleteAccountResponse"])
  }
}
