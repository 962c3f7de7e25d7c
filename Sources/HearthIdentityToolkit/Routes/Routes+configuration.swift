import HearthOperations

extension Routes {
  /// Settings and what clients ask about them.
  static let configuration: [Route] = [
    Route(
      "GET", "/identitytoolkit.googleapis.com/v1/projects", "identitytoolkit.getProjects",
      query: [
        Route.QueryParameter("androidPackageName"), Route.QueryParameter("clientId"),
        Route.QueryParameter("delegatedProjectNumber"), Route.QueryParameter("firebaseAppId"),
        Route.QueryParameter("iosBundleId"), Route.QueryParameter("projectNumber"),
        Route.QueryParameter("returnDynamicLink", .boolean), Route.QueryParameter("sha1Cert"),
      ], .operation(GetProjects.self)),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v1/recaptchaParams",
      "identitytoolkit.getRecaptchaParams", .operation(GetRecaptchaParams.self)),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v1/sessionCookiePublicKeys",
      "identitytoolkit.getSessionCookiePublicKeys", .keyOnly, .served(.sessionCookieKeys)),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/defaultSupportedIdps",
      "identitytoolkit.defaultSupportedIdps.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .operation(ListDefaultSupportedIdps.self)),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/config",
      "identitytoolkit.projects.getConfig", .operation(GetConfig.self)),
    Route(
      "PATCH", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/config",
      "identitytoolkit.projects.updateConfig",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2Config"),
      query: [Route.QueryParameter("updateMask")], .operation(UpdateConfig.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/identityPlatform:initializeAuth",
      "identitytoolkit.projects.identityPlatform.initializeAuth",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2InitializeIdentityPlatformRequest"),
      .operation(InitializeAuth.self)),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/passwordPolicy",
      "identitytoolkit.getPasswordPolicy", query: [Route.QueryParameter("tenantId")],
      .operation(GetPasswordPolicy.self)
    ),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/recaptchaConfig",
      "identitytoolkit.getRecaptchaConfig",
      query: [
        Route.QueryParameter("clientType", .enumeration(clientTypes)),
        Route.QueryParameter("tenantId"),
        Route.QueryParameter("version", .enumeration(recaptchaVersions)),
      ], .operation(GetRecaptchaConfig.self)),
  ]
}
