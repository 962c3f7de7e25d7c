package import HearthOperations

/// The endpoints of identity providers, and those that steer them.
package enum ProviderRoutes {
  package static let all: [Route] =
    control + ["/idp/", "/idp/projects/{targetProjectId}/"].flatMap(rows)

  private static func rows(below place: String) -> [Route] {
    let one = RouteRows(place + "{provider}/", id: "idp.", .open)
    let tenant = RouteRows(place + "{provider}/{tenant}/", id: "idp.", .open)
    return [
      one.get(
        ".well-known/openid-configuration", Discovery.self, id: "discovery"),
      one.get("jwks", ProviderJwks.self),
      one.get("authorize", Authorize.self),
      credentials(one, "POST", "authorize", Authorize.self),
      credentials(one, "POST", "token", Token.self),
      credentials(one, "GET", "userinfo", UserInfo.self),
      credentials(one, "POST", "userinfo", UserInfo.self),
      credentials(one, "GET", "me", Profile.self, id: "profile"),
      credentials(one, "GET", "emails", ProfileEmails.self, id: "profile.emails"),
      credentials(one, "POST", "revoke", Revoke.self),
      credentials(one, "GET", "introspect", Introspect.self),
      credentials(one, "POST", "introspect", Introspect.self),
      credentials(one, "GET", "tokeninfo", TokenInfo.self),
      credentials(one, "POST", "tokeninfo", TokenInfo.self),
      credentials(one, "GET", "logout", Logout.self),
      credentials(one, "POST", "logout", Logout.self),
      credentials(one, "POST", "device", DeviceAuthorization.self),
      one.get("activate", ActivateDevice.self),
      credentials(one, "POST", "activate", ActivateDevice.self),
      one.get("metadata", ProviderMetadata.self),
      one.get("sso", SingleSignOn.self),
      credentials(one, "POST", "sso", SingleSignOn.self),
      tenant.get("v2.0/.well-known/openid-configuration", Discovery.self, id: "discovery"),
      tenant.get("discovery/v2.0/keys", ProviderJwks.self, id: "jwks"),
      tenant.get("oauth2/v2.0/authorize", Authorize.self, id: "authorize"),
      credentials(tenant, "POST", "oauth2/v2.0/authorize", Authorize.self, id: "authorize"),
      credentials(tenant, "POST", "oauth2/v2.0/token", Token.self, id: "token"),
      // Facebook's clients get tokens with either method.
      credentials(one, "GET", "token", Token.self),
      credentials(tenant, "GET", "oauth2/v2.0/token", Token.self, id: "token"),
      credentials(tenant, "GET", "oauth2/v2.0/logout", Logout.self, id: "logout"),
      credentials(
        tenant, "POST", "oauth2/v2.0/devicecode", DeviceAuthorization.self, id: "device"),
      // Facebook's version is where Microsoft's tenant is.
      credentials(tenant, "GET", "oauth2/v2.0/me", Profile.self, id: "profile"),
    ]
  }

  /// A row whose calls hold credentials, which nothing keeps.
  private static func credentials(
    _ rows: RouteRows, _ method: String, _ path: String, _ operation: any Operation.Type,
    id: String? = nil
  ) -> Route {
    rows.row(
      method, path, .operation(operation), id: id, body: .credentials)
  }

  private static let control: [Route] = {
    let project = RouteRows("/emulator/v1/projects/{targetProjectId}", id: "hearth", .control)
    let json = Route.Body.json(message: nil)
    let (personas, persona) = ("/personas", "/personas/{persona}")
    let provider = "/identityProviders/{provider}"
    return [
      project.get(personas, ListPersonas.self, id: ".personas.list"),
      project.row(
        "PUT", personas, .operation(ReplacePersonas.self), id: ".personas.replace", body: json),
      project.row(
        "PUT", persona, .operation(PutPersona.self), id: ".personas.put", body: json),
      project.delete(persona, DeletePersona.self, id: ".personas.delete"),
      project.row(
        "POST", persona + ":signIn", .operation(SignInPersona.self), id: ".personas.signIn",
        body: json),
      project.get(provider, GetProviderSettings.self, id: ".identityProviders.get"),
      project.row(
        "PUT", provider, .operation(PutProviderSettings.self), id: ".identityProviders.put",
        body: json),
      project.row(
        "POST", provider + ":rotateKeys", .operation(RotateProviderKeys.self),
        id: ".identityProviders.rotateKeys", body: json),
    ]
  }()
}
