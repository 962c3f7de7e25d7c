import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Changes an account: by its user, by an administrator, or by redeeming a mailed code.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/update
package enum Update: Operation {
  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if let field = request.unsupportedField {
      throw .notImplemented("\(field) is not supported by the Auth Emulator.")
    }
    let rules = try project.updateRules(
      returnsSecureToken: request.returnsSecureToken, context: context)
    let isAdmin = if case .admin = context.caller { true } else { false }
    try checkCaller(request, isAdmin: isAdmin)
    try rules.checkClaims(of: request, isAdmin: isAdmin)
    try project.checkDisplayName(request.displayName)
    for attribute in request.deleteAttribute
    where attribute == .provider || attribute == .rawUserInfo {
      throw .notImplemented("deleteAttribute: \(attribute.rawValue)")
    }
    var change: AccountChange
    if let code = request.oobCode.nonEmpty, rules.takesCode(of: request) {
      change = try .redeeming(code, by: rules, in: project, context: context)
      change.deleteProviders(request)
    } else {
      change = try fieldChange(request, by: rules, in: project, context: context)
    }
    try change.linkProvider(request, project: project)
    return try change.finish(project, context: context)
  }

  private static func checkCaller(
    _ request: Request, isAdmin: Bool
  ) throws(APIError) {
    if isAdmin {
      guard request.localId.isGiven else { throw APIError(.missingLocalId) }
      return
    }
    guard request.idToken.isGiven || request.oobCode.isGiven else {
      throw APIError(.invalidRequestType)
    }
  }

  /// The change that the request's fields ask for, in the order in which they are judged.
  private static func fieldChange(
    _ request: Request, by rules: any UpdateRules, in project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> AccountChange {
    try rules.checkFirst(request, in: project, context: context)
    var change = try target(request, by: rules, in: project, context: context)
    try change.setEmail(request, project: project)
    try change.setPassword(request, project: project, context: context)
    if change.changesSecrets || request.validSince.isGiven {
      change.user.validSince = .seconds(of: context.now)
      change.endsOlderTokens = true
    }
    try change.setFactors(request, project: project, context: context)
    let isAdmin = if case .admin = context.caller { true } else { false }
    if isAdmin { try change.setAdminFields(request, project: project) }
    change.setProfile(request)
    if isAdmin { change.setVerbatimFields(request) }
    change.deleteAttributes(request)
    change.deleteProviders(request)
    change.deletePasskeys(request)
    return change
  }

  private static func target(
    _ request: Request, by rules: any UpdateRules, in project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> AccountChange {
    if request.idToken.isGiven {
      let presented = try Sessions(in: project).userOfToken(context)
      try rules.checkFieldsOfUser(request)
      if request.disableUser != nil { throw APIError(.operationNotAllowed) }
      if request.password.isGiven, project.tenantId == nil, try !project.allows(.password) {
        throw APIError(.operationNotAllowed)
      }
      if request.email.isGiven || request.password.isGiven {
        try Sessions(in: project).requireRecentLogin(presented.claims, context: context)
      }
      return AccountChange(
        user: presented.user, signInProvider: presented.signInProvider, rules: rules)
    }
    guard let localId = request.localId.nonEmpty,
      let user = try Accounts(in: project).user(localId: localId)
    else { throw APIError(.userNotFound) }
    return AccountChange(user: user, signInProvider: nil, rules: rules)
  }
}
