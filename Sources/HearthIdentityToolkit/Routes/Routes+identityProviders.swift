import HearthOperations

extension Routes {
  /// Configurations of identity providers, of a project or a tenant.
  static let identityProviders: [Route] =
    [project, project.below("/tenants/{tenantId}", id: ".tenants")].flatMap { owner in
      rows(of: DefaultSupportedIdpConfigs.self, "DefaultSupportedIdpConfig", in: owner)
        + rows(of: InboundSamlConfigs.self, "InboundSamlConfig", in: owner)
        + rows(of: OauthIdpConfigs.self, "OAuthIdpConfig", in: owner)
    }

  private static func rows<Kind: IdpConfigKind>(
    of kind: Kind.Type, _ message: String, in owner: RouteRows
  ) -> [Route] {
    let rows = owner.below("/\(Kind.collection)", id: ".\(Kind.collection)")
    let one = "/{\(Kind.idVariable)}"
    return [
      rows.post(
        "", operation: CreateIdpConfig<Kind>.self, takes: message, id: ".create",
        query: [.init(Kind.idParameter)], differs: notBuiltThere),
      rows.get(
        "", operation: ListIdpConfigs<Kind>.self, id: ".list",
        query: [.integer("pageSize"), "pageToken"], differs: notBuiltThere),
      rows.delete(
        one, operation: DeleteIdpConfig<Kind>.self, id: ".delete", differs: notBuiltThere),
      rows.get(one, operation: GetIdpConfig<Kind>.self, id: ".get", differs: notBuiltThere),
      rows.patch(
        one, operation: UpdateIdpConfig<Kind>.self, takes: message, id: ".patch",
        query: ["updateMask"], differs: notBuiltThere),
    ]
  }
}
