import HearthOperations

extension Routes {
  /// Configurations of identity providers, of a project or a tenant.
  static let identityProviders: [Route] = [
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2DefaultSupportedIdpConfig"),
      query: [Route.QueryParameter("idpId")],
      .operation(CreateIdpConfig<DefaultSupportedIdpConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .operation(ListIdpConfigs<DefaultSupportedIdpConfigs>.self)),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.delete",
      .operation(DeleteIdpConfig<DefaultSupportedIdpConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.get",
      .operation(GetIdpConfig<DefaultSupportedIdpConfigs>.self)),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2DefaultSupportedIdpConfig"),
      query: [Route.QueryParameter("updateMask")],
      .operation(UpdateIdpConfig<DefaultSupportedIdpConfigs>.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs",
      "identitytoolkit.projects.inboundSamlConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2InboundSamlConfig"),
      query: [Route.QueryParameter("inboundSamlConfigId")],
      .operation(CreateIdpConfig<InboundSamlConfigs>.self)),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs",
      "identitytoolkit.projects.inboundSamlConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .operation(ListIdpConfigs<InboundSamlConfigs>.self)),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.inboundSamlConfigs.delete",
      .operation(DeleteIdpConfig<InboundSamlConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.inboundSamlConfigs.get",
      .operation(GetIdpConfig<InboundSamlConfigs>.self)),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.inboundSamlConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2InboundSamlConfig"),
      query: [Route.QueryParameter("updateMask")],
      .operation(UpdateIdpConfig<InboundSamlConfigs>.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs",
      "identitytoolkit.projects.oauthIdpConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2OAuthIdpConfig"),
      query: [Route.QueryParameter("oauthIdpConfigId")],
      .operation(CreateIdpConfig<OauthIdpConfigs>.self)),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs",
      "identitytoolkit.projects.oauthIdpConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .operation(ListIdpConfigs<OauthIdpConfigs>.self)),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.oauthIdpConfigs.delete",
      .operation(DeleteIdpConfig<OauthIdpConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.oauthIdpConfigs.get", .operation(GetIdpConfig<OauthIdpConfigs>.self)
    ),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.oauthIdpConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2OAuthIdpConfig"),
      query: [Route.QueryParameter("updateMask")], .operation(UpdateIdpConfig<OauthIdpConfigs>.self)
    ),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2DefaultSupportedIdpConfig"),
      query: [Route.QueryParameter("idpId")],
      .operation(CreateIdpConfig<DefaultSupportedIdpConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .operation(ListIdpConfigs<DefaultSupportedIdpConfigs>.self)),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.delete",
      .operation(DeleteIdpConfig<DefaultSupportedIdpConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.get",
      .operation(GetIdpConfig<DefaultSupportedIdpConfigs>.self)),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2DefaultSupportedIdpConfig"),
      query: [Route.QueryParameter("updateMask")],
      .operation(UpdateIdpConfig<DefaultSupportedIdpConfigs>.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2InboundSamlConfig"),
      query: [Route.QueryParameter("inboundSamlConfigId")],
      .operation(CreateIdpConfig<InboundSamlConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .operation(ListIdpConfigs<InboundSamlConfigs>.self)),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.delete",
      .operation(DeleteIdpConfig<InboundSamlConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.get",
      .operation(GetIdpConfig<InboundSamlConfigs>.self)),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2InboundSamlConfig"),
      query: [Route.QueryParameter("updateMask")],
      .operation(UpdateIdpConfig<InboundSamlConfigs>.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2OAuthIdpConfig"),
      query: [Route.QueryParameter("oauthIdpConfigId")],
      .operation(CreateIdpConfig<OauthIdpConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .operation(ListIdpConfigs<OauthIdpConfigs>.self)),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.delete",
      .operation(DeleteIdpConfig<OauthIdpConfigs>.self)),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.get",
      .operation(GetIdpConfig<OauthIdpConfigs>.self)),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2OAuthIdpConfig"),
      query: [Route.QueryParameter("updateMask")], .operation(UpdateIdpConfig<OauthIdpConfigs>.self)
    ),
  ]
}
