import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire

/// Tells which ways to sign in an address has.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/createAuthUri
enum CreateAuthUri: Operation {
  struct Request: OperationRequest {
    let providerId: String?
    let identifier: String?
    let continueUri: String?
    let sessionId: String?
    /// Comes back as `state`.
    let context: String?
    let apiKey: String?
    let scopes: [String]
    let parameters: JSONObject

    init(_ wire: WireRequest) {
      providerId = wire.string("providerId").nonEmpty
      identifier = wire.string("identifier").nonEmpty
      continueUri = wire.string("continueUri").nonEmpty
      sessionId = wire.string("sessionId").nonEmpty
      context = wire.string("context").nonEmpty
      apiKey = wire.query["key"].nonEmpty
      scopes = (wire.string("oauthScope") ?? "").split { $0 == " " || $0 == "," }.map(String.init)
      parameters = wire.object("customParameter") ?? JSONObject()
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if let providerId = request.providerId {
      return try authUri(
        of: providerId.lowercased(), request: request, project: project, context: context)
    }
    guard let identifier = request.identifier else {
      throw APIError(.missingIdentifier)
    }
    guard let continueUri = request.continueUri else {
      throw APIError(.missingContinueURI)
    }
    guard let email = Email(identifier) else { throw APIError(.invalidIdentifier) }
    guard WebURL(continueUri) != nil else { throw APIError(.invalidContinueURI) }

    let settings = try project.settings()
    let methods =
      settings.hasEmailPrivacy ? nil : try methods(email, settings: settings, project: project)
    func shown(_ names: [String]?) throws(APIError) -> JSON? {
      guard let names else { return nil }
      return try project.list(names.map(JSON.string))
    }
    return .json([
      "kind": "identitytoolkit#CreateAuthUriResponse",
      "registered": (methods?.isRegistered).json,
      "allProviders": try shown(methods?.providers),
      "sessionId": .string(
        request.sessionId ?? context.random.alphanumeric(27)),
      "signinMethods": try shown(methods?.signInMethods),
    ])
  }

  /// Where to sign in with a provider: its page, if it is played here and asked for, or our own, which
  /// leads back to `continueUri` with what
  /// `signInWithIdp` wants as `requestUri`.
  private static func authUri(
    of providerId: String, request: Request, project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> Outcome {
    guard let continueUri = request.continueUri else {
      throw APIError(.missingContinueURI)
    }
    guard let url = WebURL(continueUri) else { throw APIError(.invalidContinueURI) }
    guard url.fragment == nil else {
      throw APIError(
        .invalidContinueURI,
        detail: "Invalid parameter value for redirect_uri: fragment not allowed.")
    }
    try IdpConfigs(in: project).requireProviderEnabled(providerId)
    let sessionId = request.sessionId ?? context.random.alphanumeric(27)
    let wish = ProviderPages.Wish(
      providerId: providerId, continueURI: continueUri, sessionId: sessionId,
      scopes: request.scopes, parameters: request.parameters, context: request.context)
    if let address = try ProviderPages(in: project, context: context).address(for: wish) {
      return .json([
        "kind": "identitytoolkit#CreateAuthUriResponse", "authUri": .string(address),
        "providerId": .string(providerId), "sessionId": .string(sessionId),
      ])
    }
    var query = [
      FormFields.Pair(name: "apiKey", value: request.apiKey ?? project.projectId),
      FormFields.Pair(name: "providerId", value: providerId),
      FormFields.Pair(name: "continueUri", value: continueUri),
    ]
    for (name, value) in [("tid", project.tenantId), ("state", request.context)] {
      if let value = value.nonEmpty { query.append(FormFields.Pair(name: name, value: value)) }
    }
    return .json([
      "kind": "identitytoolkit#CreateAuthUriResponse",
      "authUri": .string("\(context.baseURL)/emulator/auth/handler?\(FormFields(query).text)"),
      "providerId": .string(providerId),
      "sessionId": .string(sessionId),
    ])
  }

  private struct Methods {
    var isRegistered = false
    var providers: [String] = []
    var signInMethods: [String] = []
  }

  private static func methods(
    _ email: Email, settings: ProjectSettings, project: ProjectTransaction
  ) throws(APIError) -> Methods {
    let owner = try Accounts(in: project).user(email: email)
    var methods = Methods()
    if settings.allowsDuplicateEmails {
      // Observed: any address of their own makes somebody count, also another than this one.
      let others = owner == nil ? try Accounts(in: project).users(providerEmail: email) : []
      guard let user = owner ?? others.first(where: { $0.email != nil }) else { return methods }
      methods.isRegistered = true
      methods.signInMethods = passwordMethods(of: user)
      if !methods.signInMethods.isEmpty { methods.providers = ["password"] }
      return methods
    }
    let others = try Accounts(in: project).users(providerEmail: email)
    guard let user = owner ?? others.first else { return methods }
    methods.isRegistered = true
    for provider in user.providerUserInfo ?? [] {
      switch provider.providerId {
      case "phone": break
      case "password":
        methods.providers.append("password")
        methods.signInMethods += passwordMethods(of: user)
      default:
        methods.providers.append(provider.providerId)
        methods.signInMethods.append(provider.providerId)
      }
    }
    return methods
  }

  private static func passwordMethods(of user: User) -> [String] {
    (user.password == nil ? [] : ["password"]) + (user.emailLinkSignin == true ? ["emailLink"] : [])
  }
}
