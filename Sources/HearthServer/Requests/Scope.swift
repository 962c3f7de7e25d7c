import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthTokens
import HearthWire

/// Which project and which tenant a request is about, and the token that it presents.
///
/// Path and body may name both, a key the project, and a token the tenant. Tenants that differ are
/// an error.
struct Scope {
  let projectId: String
  private(set) var tenantId: String?
  let presentedToken: PresentedToken?

  init(
    _ request: WireRequest, credentials: Credentials, route: Route, defaultProject: String,
    keys: KeySet, answers: Switches.Program
  ) throws(APIError) {
    let target =
      request.path["targetProjectId"].nonEmpty ?? request.string("targetProjectId").nonEmpty
    if let target {
      if route.credential == .bearerOrKey, case .user = credentials.caller {
        if answers == .production, let refusal = Self.missingPrincipal(route) { throw refusal }
        throw APIError(
          .insufficientPermission,
          detail: "Only authenticated requests can specify target_project_id.")
      }
      try ProjectID.check(target)
      projectId = target
    } else {
      // Most keys are made up and name no project. Then the default one is meant.
      projectId = credentials.apiKey.flatMap(Self.project(ofKey:)) ?? defaultProject
    }
    let (inPath, inBody) = (request.path["tenantId"].nonEmpty, request.string("tenantId").nonEmpty)
    // In production the path decides.
    tenantId = try Self.merge(inPath, answers == .production && inPath != nil ? nil : inBody)
    presentedToken = request.string("idToken").nonEmpty.flatMap { keys.present($0) }
    let tokenTenant = presentedToken?.claims["firebase"]?["tenant"]?.string.nonEmpty
    if answers == .production, let tenantId, let tokenTenant, tenantId != tokenTenant {
      throw APIError(
        .tenantIDMismatch, detail: "Specified tenant ID mismatches with the ID token.")
    }
    tenantId = try Self.merge(tenantId, tokenTenant)
  }

  /// How production refuses a key where a call never takes one; nil for calls that may.
  private static func missingPrincipal(_ route: Route) -> APIError? {
    let method: String
    switch route.api {
    case .identityToolkitV1 where route.id.hasSuffix("createSessionCookie"):
      method = "google.cloud.identitytoolkit.v1.SessionManagementService.CreateSessionCookie"
    default: return nil
    }
    return APIError(.missingPrincipal).with(
      details: .members([
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "CREDENTIALS_MISSING",
        "domain": "googleapis.com",
        "metadata": ["service": "identitytoolkit.googleapis.com", "method": .string(method)],
      ]))
  }

  /// A key that is itself the id of a demo project selects that project, so that tests can run side
  /// by side.
  static func project(ofKey key: String) -> String? {
    let isProject =
      key.hasPrefix("demo-") && key.utf8.count > 5 && key.utf8.count <= 64
      && key.utf8.allSatisfy {
        $0.isASCIILowercase || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
      }
    return isProject ? key : nil
  }

  private static func merge(_ first: String?, _ second: String?) throws(APIError) -> String? {
    if let first, let second, first != second { throw APIError(.tenantIDMismatch) }
    return first ?? second
  }

  /// A refresh token names its tenant too, wherever it is in a body.
  ///
  /// It comes after the initialiser, since the token is looked up in the project's transaction.
  mutating func adopt(tenantOf token: PresentedRefreshToken) throws(APIError) {
    tenantId = try token.tenant(named: tenantId)
  }
}
