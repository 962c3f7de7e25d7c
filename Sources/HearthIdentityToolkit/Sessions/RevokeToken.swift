import HearthErrors
import HearthIdentityProviders
import HearthOperations
import HearthWire

/// Takes an identity provider's token that the user wants revoked.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts/revokeToken
///
/// A provider that Hearth plays revokes it, with all other tokens that the client has of the person.
/// Nothing is sent to real providers. As in production, the user's own sessions stay valid.
enum RevokeToken: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let providerId: String?
    let token: String?
    let tokenType: TokenType?

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      providerId = wire.string("providerId")
      token = wire.string("token")
      tokenType = wire.string("tokenType").flatMap(TokenType.init)
    }

    enum TokenType: String {
      case refreshToken = "REFRESH_TOKEN"
      case accessToken = "ACCESS_TOKEN"
      case code = "CODE"

      var kind: Grant.Kind {
        switch self {
        case .refreshToken: .refresh
        case .accessToken: .access
        case .code: .code
        }
      }
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard request.idToken.isGiven else { throw APIError(.missingIDToken) }
    guard let providerId = request.providerId.nonEmpty else {
      throw APIError(.missingProviderId)
    }
    guard let token = request.token.nonEmpty else { throw APIError(.missingToken) }
    guard let type = request.tokenType else {
      throw APIError(.badArgument, detail: "tokenType must be REFRESH_TOKEN, ACCESS_TOKEN or CODE")
    }
    let user = try Sessions(in: project).userOfToken(context).user
    guard user.provider(providerId.lowercased()) != nil else { throw APIError(.noSuchProvider) }
    try LocalProviders(in: project).revoke(
      token, kind: type.kind, providerId: providerId.lowercased(), context: context)
    return .json([:])
  }
}
