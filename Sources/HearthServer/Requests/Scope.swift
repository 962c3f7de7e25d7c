import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthTokens
import HearthWire

/// Which project and which tenant a request is about, and the token that it presents.
struct Scope {
  let projectId: String
  private(set) var tenantId: String?
  let presentedToken: PresentedToken?

  init(
    _ request: WireRequest, _ credentials: Credentials, _ route: Route, defaultProject: String,
    keys: KeySet
  ) throws(APIError) {
    let target =
      request.path["targetProjectId"].nonEmpty ?? request.string("targetProjectId").nonEmpty
    if let target {
      if route.credential == .bearerOrKey, case .user = credentials.caller {
        throw APIError(
          .insufficientPermission,
          "Only authenticated requests can specify target_project_id.")
      }
      try ProjectID.check(target)
      projectId = target
    } else if let key = credentials.apiKey, Self.isProjectKey(key) {
      projectId = key
    } else {
      projectId = defaultProject
    }
    tenantId = try Self.merge(
      request.path["tenantId"].nonEmpty, request.string("tenantId").nonEmpty)
    presentedToken = request.string("idToken").nonEmpty.flatMap { keys.present($0) }
    let tokenTenant = presentedToken?.claims["firebase"]?["tenant"]?.string.nonEmpty
    tenantId = try Self.merge(tenantId, tokenTenant)
  }

  /// A key that is itself the id of a demo project selects that project, so that tests can run side
  /// by side.
  private static func isProjectKey(_ key: String) -> Bool {
    key.hasPrefix("demo-") && key.utf8.count > 5 && key.utf8.count <= 64
      && key.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  private static func merge(_ first: String?, _ second: String?) throws(APIError) -> String? {
    if let first, let second, first != second { throw APIError(.tenantIDMismatch) }
    return first ?? second
  }

  /// A refresh token names its tenant too, wherever it is in a body.
  mutating func adopt(tenantOf token: RefreshTokenTenant) throws(APIError) {
    if let tenantId, tenantId != token.tenantId, !token.winsOverTarget {
      throw APIError(
        .tenantIDMismatch,
        message:
          "TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))")
    }
    tenantId = token.tenantId
  }
}

/// The tenant of a refresh token; nil for the project's own accounts.
struct RefreshTokenTenant {
  let tenantId: String?
  /// Whether another tenant that the request names is ignored, as in production.
  let winsOverTarget: Bool

  /// A token that nobody issued is refused, wherever it is; in production by the operation.
  init(of token: String, in project: ProjectTransaction) throws(APIError) {
    winsOverTarget = try project.answersAsProduction
    guard let record = try project.refreshToken(token) else {
      if winsOverTarget, !project.server.issuedTokens.isRevoked(refreshToken: token) {
        tenantId = nil
        return
      }
      throw APIError(
        project.server.issuedTokens.isRevoked(refreshToken: token)
          ? .tokenExpired : .invalidRefreshToken)
    }
    tenantId = record.tenantId
  }
}
