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
    let production = try ProductionStyle(request, project, context)
    try checkCaller(request, context, production)
    if production?.isAdmin != false { try checkClaims(request, isProduction: production != nil) }
    try project.checkDisplayName(request.displayName)
    for attribute in request.deleteAttribute
    where attribute == .provider || attribute == .rawUserInfo {
      throw .notImplemented("deleteAttribute: \(attribute.rawValue)")
    }
    var change: AccountChange
    // In production a token counts before a code.
    if let code = request.oobCode.nonEmpty, production == nil || !request.idToken.isGiven {
      change = try .redeeming(code, project, context)
      change.production = production
      change.deleteProviders(request)
    } else {
      change = try fieldChange(request, production, project, context)
    }
    try change.linkProvider(request, project)
    return try change.finish(project, context)
  }

  private static func checkCaller(
    _ request: Request, _ context: Context, _ production: ProductionStyle?
  ) throws(APIError) {
    if case .admin = context.caller {
      guard request.localId.isGiven else { throw APIError(.missingLocalId) }
      return
    }
    guard request.idToken.isGiven || request.oobCode.isGiven else {
      throw APIError(.invalidRequestType)
    }
    // Production looks at the token first.
    if request.customAttributes != nil, production == nil {
      throw APIError(.insufficientPermission)
    }
  }

  private static func checkClaims(
    _ request: Request, isProduction: Bool
  ) throws(APIError) {
    if let attributes = request.customAttributes.nonEmpty {
      try CustomClaims.check(attributes, isProduction: isProduction)
    }
  }

  /// The change that the request's fields ask for, in the order in which they are judged.
  private static func fieldChange(
    _ request: Request, _ production: ProductionStyle?, _ project: ProjectTransaction,
    _ context: Context
  ) throws(APIError) -> AccountChange {
    if let production, production.isAdmin { try checkPolicyFirst(request, project, context) }
    var change = try target(request, project, context)
    change.production = production
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

  /// A policy that is enforced is asked before the account is looked for.
  private static func checkPolicyFirst(
    _ request: Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) {
    guard let password = request.password.nonEmpty, try project.passwordPolicy().isEnforced else {
      return
    }
    try project.checkNewPassword(password, context)
  }

  /// What production refuses beside a user's token, although the token is right.
  private static func refuseAdminFields(_ request: Request) throws(APIError) {
    if request.customAttributes != nil { throw APIError(.insufficientPermission) }
    if request.linkProviderUserInfo != nil {
      throw APIError(
        .unexpectedParameter, "link_provider_user_info is not allowed with ID token.")
    }
  }

  private static func target(
    _ request: Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> AccountChange {
    if request.idToken.isGiven {
      let presented = try project.userOfToken(context)
      if try project.answersAsProduction { try refuseAdminFields(request) }
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
