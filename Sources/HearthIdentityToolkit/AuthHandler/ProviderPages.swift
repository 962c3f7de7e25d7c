import HearthCrypto
import HearthErrors
import HearthIdentityProviders
import HearthOperations
import HearthWire

/// A sign-in with the page of one of our identity providers, as production has it.
struct ProviderPages {
  private let project: ProjectTransaction
  private let context: Context

  init(in project: ProjectTransaction, context: Context) {
    self.project = project
    self.context = context
  }

  /// What a sign-in with a provider is to be like.
  struct Wish {
    let providerId: String
    /// Where the provider leads back to.
    let continueURI: String
    let sessionId: String
    var scopes: [String] = []
    var parameters = JSONObject()
    var context: String?
  }

  /// The address of the provider's page; nil where Hearth's own page takes its place: where the switch
  /// is off, and for providers that nobody plays here.
  func address(for wish: Wish) throws(APIError) -> String? {
    guard try project.switches().providerPages else { return nil }
    if wish.providerId.hasPrefix("saml.") { return try samlAddress(for: wish) }
    let isOidc = wish.providerId.hasPrefix("oidc.")
    let config = try IdpConfigs(in: project).config(
      isOidc ? OauthIdpConfigs.self : DefaultSupportedIdpConfigs.self, id: wish.providerId)
    // Another's issuer has pages of its own.
    if isOidc, let issuer = config?["issuer"]?.string, !issuer.contains("/idp/") { return nil }
    let isImplicit = isOidc && config?["responseType"]?["code"]?.bool != true
    let visit = ProviderVisit(
      providerId: wish.providerId, sessionId: wish.sessionId,
      rawNonce: isImplicit ? context.random.base64URL(32) : nil, context: wish.context)
    return try visit.begin(
      ProviderVisit.Wish(
        clientId: config?["clientId"]?.string.nonEmpty ?? "hearth-client",
        redirectURI: wish.continueURI, scopes: wish.scopes,
        parameters: wish.parameters.members.compactMap { member in
          member.value.string.map { (member.key, $0) }
        }), in: project, context: context)
  }

  /// SAML needs nothing of a provider but its address, so that it may be anybody's.
  private func samlAddress(for wish: Wish) throws(APIError) -> String? {
    guard
      let config = try IdpConfigs(in: project).config(InboundSamlConfigs.self, id: wish.providerId),
      let provider = config["idpConfig"]?["ssoUrl"]?.string,
      ["http", "https"].contains(WebURL(provider)?.scheme)
    else { return nil }
    let visit = ProviderVisit(
      providerId: wish.providerId, sessionId: wish.sessionId, context: wish.context)
    return try visit.begin(
      at: provider, service: config["spConfig"]?["spEntityId"]?.string ?? "",
      consumer: wish.continueURI, in: project, context: context)
  }
}
