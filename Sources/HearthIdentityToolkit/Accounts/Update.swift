import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Changes an account: by its user, by an administrator, or by redeeming a mailed code.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/update
enum Update: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    for field in ["provider", "upgradeToFederatedLogin"] where request.has(field) {
      throw .notImplemented("\(field) is not supported by the Auth Emulator.")
    }
    try checkCaller(request, context)
    try checkClaims(request)
    for attribute in request.strings("deleteAttribute") ?? []
    where attribute == "PROVIDER" || attribute == "RAW_USER_INFO" {
      throw .notImplemented("deleteAttribute: \(attribute)")
    }
    var change: AccountChange
    if let code = request.string("oobCode").nonEmpty {
      change = try .redeeming(code, project, context)
      change.deleteProviders(request)
    } else {
      change = try fieldChange(request, project, context)
    }
    try change.linkProvider(request)
    return try change.finish(request, project, context)
  }

  private static func checkCaller(
    _ request: WireRequest, _ context: Context
  ) throws(APIError) {
    if case .admin = context.caller {
      guard request.string("localId").isGiven else { throw APIError(.missingLocalId) }
      return
    }
    guard request.string("idToken").isGiven || request.string("oobCode").isGiven else {
      throw APIError(.invalidRequestType)
    }
    if request.has("customAttributes") { throw APIError(.insufficientPermission) }
  }

  private static func checkClaims(_ request: WireRequest) throws(APIError) {
    if let attributes = request.string("customAttributes").nonEmpty {
      try CustomClaims.check(attributes)
    }
  }

  /// The change that the request's fields ask for, in the order in which they are judged.
  private static func fieldChange(
    _ request: WireRequest, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> AccountChange {
    var change = try target(request, project, context)
    try change.setEmail(request, project)
    try change.setPassword(request, project, context)
    if change.changesSecrets || request.string("validSince").isGiven {
      change.user.validSince = String(context.now.seconds)
      change.endsOlderTokens = true
    }
    try change.setFactors(request)
    let isAdmin = if case .admin = context.caller { true } else { false }
    if isAdmin { try change.setAdminFields(request, project) }
    change.setProfile(request)
    if isAdmin { change.setVerbatimFields(request) }
    change.deleteAttributes(request)
    change.deleteProviders(request)
    change.deletePasskeys(request)
    return change
  }

  private static func target(
    _ request: WireRequest, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> AccountChange {
    if request.string("idToken").isGiven {
      let presented = try project.userOfToken(context)
      if request.has("disableUser") { throw APIError(.operationNotAllowed) }
      if request.string("email").isGiven || request.string("password").isGiven {
        try project.requireRecentLogin(presented.claims, context)
      }
      return AccountChange(user: presented.user, signInProvider: presented.signInProvider)
    }
    guard let localId = request.string("localId").nonEmpty,
      let user = try project.user(localId: localId)
    else { throw APIError(.userNotFound) }
    return AccountChange(user: user, signInProvider: nil)
  }
}
