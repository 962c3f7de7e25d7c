import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Changes an account: by its user, by an administrator, or by redeeming a mailed code.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/update
enum Update: Operation {
  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if let field = request.unsupportedField {
      throw .notImplemented("\(field) is not supported by the Auth Emulator.")
    }
    try checkCaller(request, context)
    try checkClaims(request)
    for attribute in request.deleteAttribute
    where attribute == .provider || attribute == .rawUserInfo {
      throw .notImplemented("deleteAttribute: \(attribute.rawValue)")
    }
    var change: AccountChange
    if let code = request.oobCode.nonEmpty {
      change = try .redeeming(code, project, context)
      change.deleteProviders(request)
    } else {
      change = try fieldChange(request, project, context)
    }
    try change.linkProvider(request)
    return try change.finish(project, context)
  }

  private static func checkCaller(
    _ request: Request, _ context: Context
  ) throws(APIError) {
    if case .admin = context.caller {
      guard request.localId.isGiven else { throw APIError(.missingLocalId) }
      return
    }
    guard request.idToken.isGiven || request.oobCode.isGiven else {
      throw APIError(.invalidRequestType)
    }
    if request.customAttributes != nil { throw APIError(.insufficientPermission) }
  }

  private static func checkClaims(_ request: Request) throws(APIError) {
    if let attributes = request.customAttributes.nonEmpty {
      try CustomClaims.check(attributes)
    }
  }

  /// The change that the request's fields ask for, in the order in which they are judged.
  private static func fieldChange(
    _ request: Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> AccountChange {
    var change = try target(request, project, context)
    try change.setEmail(request, project)
    try change.setPassword(request, project, context)
    if change.changesSecrets || request.validSince.isGiven {
      change.user.validSince = .seconds(of: context.now)
      change.endsOlderTokens = true
    }
    try change.setFactors(request, project, context)
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
    _ request: Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> AccountChange {
    if request.idToken.isGiven {
      let presented = try project.userOfToken(context)
      if request.disableUser != nil { throw APIError(.operationNotAllowed) }
      if request.email.isGiven || request.password.isGiven {
        try project.requireRecentLogin(presented.claims, context)
      }
      return AccountChange(user: presented.user, signInProvider: presented.signInProvider)
    }
    guard let localId = request.localId.nonEmpty,
      let user = try project.user(localId: localId)
    else { throw APIError(.userNotFound) }
    return AccountChange(user: user, signInProvider: nil)
  }
}
