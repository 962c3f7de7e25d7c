package import HearthOperations

/// The endpoints of identity providers, and those that steer them.
package enum ProviderRoutes {
  package static let all: [Route] =
    control + ["/idp/", "/idp/projects/{targetProjectId}/"].flatMap(rows)

  private static func rows(below place: String) -> [Route] {
    let one = RouteRows(place + "{provider}/", id: "idp.", credential: .open)
    let tenant = RouteRows(place + "{provider}/{tenant}/", id: "idp.", credential: .open)
    return openID(one) + tenants(tenant) + oauth1(one)
  }

  private static func openID(_ one: RouteRows) -> [Route] {
    [
      one.get(".well-known/openid-configuration", operation: Discovery.self, id: "discovery"),
      one.get("jwks", operation: ProviderJwks.self),
      one.get("authorize", operation: Authorize.self),
      credentials(one, method: "POST", path: "authorize", operation: Authorize.self),
      credentials(one, method: "POST", path: "token", operation: Token.self),
      credentials(one, method: "GET", path: "userinfo", operation: UserInfo.self),
      credentials(one, method: "POST", path: "userinfo", operation: UserInfo.self),
      credentials(one, method: "GET", path: "me", operation: Profile.self, id: "profile"),
      credentials(
        one, method: "GET", path: "emails", operation: ProfileEmails.self, id: "profile.emails"),
      credentials(one, method: "POST", path: "revoke", operation: Revoke.self),
      credentials(one, method: "GET", path: "introspect", operation: Introspect.self),
      credentials(one, method: "POST", path: "introspect", operation: Introspect.self),
      credentials(one, method: "GET", path: "tokeninfo", operation: TokenInfo.self),
      credentials(one, method: "POST", path: "tokeninfo", operation: TokenInfo.self),
      credentials(one, method: "GET", path: "logout", operation: Logout.self),
      credentials(one, method: "POST", path: "logout", operation: Logout.self),
      credentials(one, method: "POST", path: "device", operation: DeviceAuthorization.self),
      one.get("activate", operation: ActivateDevice.self),
      credentials(one, method: "POST", path: "activate", operation: ActivateDevice.self),
      one.get("metadata", operation: ProviderMetadata.self),
      one.get("sso", operation: SingleSignOn.self),
      credentials(one, method: "POST", path: "sso", operation: SingleSignOn.self),
      // Facebook's clients get tokens with either method.
      credentials(one, method: "GET", path: "token", operation: Token.self),
    ]
  }

  private static func tenants(_ tenant: RouteRows) -> [Route] {
    [
      tenant.get(
        "v2.0/.well-known/openid-configuration", operation: Discovery.self, id: "discovery"),
      tenant.get("discovery/v2.0/keys", operation: ProviderJwks.self, id: "jwks"),
      tenant.get("oauth2/v2.0/authorize", operation: Authorize.self, id: "authorize"),
      credentials(
        tenant, method: "POST", path: "oauth2/v2.0/authorize", operation: Authorize.self,
        id: "authorize"),
      credentials(
        tenant, method: "POST", path: "oauth2/v2.0/token", operation: Token.self, id: "token"),
      credentials(
        tenant, method: "GET", path: "oauth2/v2.0/token", operation: Token.self, id: "token"),
      credentials(
        tenant, method: "GET", path: "oauth2/v2.0/logout", operation: Logout.self, id: "logout"),
      credentials(
        tenant, method: "POST", path: "oauth2/v2.0/devicecode", operation: DeviceAuthorization.self,
        id: "device"),
      // Facebook's version is where Microsoft's tenant is.
      credentials(
        tenant, method: "GET", path: "oauth2/v2.0/me", operation: Profile.self, id: "profile"),
    ]
  }

  private static func oauth1(_ one: RouteRows) -> [Route] {
    // A page is asked for with GET and answered with POST.
    let pages = ["GET", "POST"].flatMap { method in
      [
        credentials(
          one, method: method, path: "oauth/authorize", operation: AuthorizeToken.self,
          id: "authorizeToken"),
        credentials(
          one, method: method, path: "oauth/authenticate", operation: AuthenticateToken.self,
          id: "authenticateToken"),
      ]
    }
    return [
      credentials(
        one, method: "POST", path: "oauth/request_token", operation: RequestToken.self,
        id: "requestToken")
    ] + pages + [
      credentials(
        one, method: "POST", path: "oauth/access_token", operation: AccessToken.self,
        id: "accessToken"),
      credentials(
        one, method: "GET", path: "1.1/account/verify_credentials.json",
        operation: VerifyCredentials.self, id: "verifyCredentials"),
    ]
  }

  /// A row whose calls hold credentials, which nothing keeps.
  private static func credentials(
    _ rows: RouteRows, method: String, path: String, operation: any Operation.Type,
    id: String? = nil
  ) -> Route {
    rows.row(method, path: path, action: .operation(operation), id: id, body: .credentials)
  }

  private static let control: [Route] = {
    let project = RouteRows(
      "/emulator/v1/projects/{targetProjectId}", id: "hearth", credential: .control)
    let json = Route.Body.json(message: nil)
    let (personas, persona) = ("/personas", "/personas/{persona}")
    let provider = "/identityProviders/{provider}"
    return [
      project.get(personas, operation: ListPersonas.self, id: ".personas.list"),
      project.row(
        "PUT", path: personas, action: .operation(ReplacePersonas.self), id: ".personas.replace",
        body: json),
      project.row(
        "PUT", path: persona, action: .operation(PutPersona.self), id: ".personas.put", body: json),
      project.delete(persona, operation: DeletePersona.self, id: ".personas.delete"),
      project.row(
        "POST", path: persona + ":signIn", action: .operation(SignInPersona.self),
        id: ".personas.signIn", body: json),
      project.get(provider, operation: GetProviderSettings.self, id: ".identityProviders.get"),
      project.row(
        "PUT", path: provider, action: .operation(PutProviderSettings.self),
        id: ".identityProviders.put", body: json),
      project.row(
        "POST", path: provider + ":rotateKeys", action: .operation(RotateProviderKeys.self),
        id: ".identityProviders.rotateKeys", body: json),
    ]
  }()
}
