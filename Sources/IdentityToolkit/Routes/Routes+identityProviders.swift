import HearthStore

extension Routes {
  /// Configurations of identity providers, of a project or a tenant.
  static let identityProviders: [Route] = [
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2DefaultSupportedIdpConfig"),
      query: [Route.QueryParameter("idpId")], .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .unimplemented),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.delete", .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.get", .unimplemented),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.defaultSupportedIdpConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2DefaultSupportedIdpConfig"),
      query: [Route.QueryParameter("updateMask")], .unimplemented),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs",
      "identitytoolkit.projects.inboundSamlConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2InboundSamlConfig"),
      query: [Route.QueryParameter("inboundSamlConfigId")], .unimplemented),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs",
      "identitytoolkit.projects.inboundSamlConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .unimplemented),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.inboundSamlConfigs.delete", .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.inboundSamlConfigs.get", .unimplemented),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.inboundSamlConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2InboundSamlConfig"),
      query: [Route.QueryParameter("updateMask")], .unimplemented),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs",
      "identitytoolkit.projects.oauthIdpConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2OAuthIdpConfig"),
      query: [Route.QueryParameter("oauthIdpConfigId")], .unimplemented),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs",
      "identitytoolkit.projects.oauthIdpConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .unimplemented),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.oauthIdpConfigs.delete", .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.oauthIdpConfigs.get", .unimplemented),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.oauthIdpConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2OAuthIdpConfig"),
      query: [Route.QueryParameter("updateMask")], .unimplemented),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2DefaultSupportedIdpConfig"),
      query: [Route.QueryParameter("idpId")], .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .unimplemented),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.delete", .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.get", .unimplemented),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/defaultSupportedIdpConfigs/{defaultSupportedIdpConfigsId}",
      "identitytoolkit.projects.tenants.defaultSupportedIdpConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2DefaultSupportedIdpConfig"),
      query: [Route.QueryParameter("updateMask")], .unimplemented),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2InboundSamlConfig"),
      query: [Route.QueryParameter("inboundSamlConfigId")], .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .unimplemented),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.delete", .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.get", .unimplemented),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/inboundSamlConfigs/{inboundSamlConfigsId}",
      "identitytoolkit.projects.tenants.inboundSamlConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2InboundSamlConfig"),
      query: [Route.QueryParameter("updateMask")], .unimplemented),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2OAuthIdpConfig"),
      query: [Route.QueryParameter("oauthIdpConfigId")], .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .unimplemented),
    Route(
      "DELETE",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.delete", .unimplemented),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.get", .unimplemented),
    Route(
      "PATCH",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}/oauthIdpConfigs/{oauthIdpConfigsId}",
      "identitytoolkit.projects.tenants.oauthIdpConfigs.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2OAuthIdpConfig"),
      query: [Route.QueryParameter("updateMask")], .unimplemented),
  ]
}
