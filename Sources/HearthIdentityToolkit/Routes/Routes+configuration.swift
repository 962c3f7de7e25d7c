import HearthOperations

extension Routes {
  /// Settings and what clients ask about them.
  static let configuration: [Route] = [
    v1.get(
      "projects", operation: GetProjects.self, id: "getProjects",
      query: [
        "androidPackageName", "clientId", "delegatedProjectNumber", "firebaseAppId", "iosBundleId",
        "projectNumber", .boolean("returnDynamicLink"), "sha1Cert",
      ]),
    v1.get("recaptchaParams", operation: GetRecaptchaParams.self, id: "getRecaptchaParams"),
    v1.with(.keyOnly).row(
      "GET", path: "sessionCookiePublicKeys", action: .served(.sessionCookieKeys),
      id: "getSessionCookiePublicKeys", differs: [notBuiltThere]),
    v2.get(
      "defaultSupportedIdps", operation: ListDefaultSupportedIdps.self,
      id: "defaultSupportedIdps.list",
      query: [.integer("pageSize"), "pageToken"], differs: notBuiltThere),
    project.get("/config", operation: GetConfig.self, id: ".getConfig", differs: config),
    project.patch(
      "/config", operation: UpdateConfig.self, takes: "Config", id: ".updateConfig",
      query: ["updateMask"], differs: config),
    project.post(
      "/identityPlatform:initializeAuth", operation: InitializeAuth.self,
      takes: "InitializeIdentityPlatformRequest", differs: notBuiltThere),
    v2.get(
      "passwordPolicy", operation: GetPasswordPolicy.self, id: "getPasswordPolicy",
      query: ["tenantId"], differs: notBuiltThere),
    v2.get(
      "recaptchaConfig", operation: GetRecaptchaConfig.self, id: "getRecaptchaConfig",
      query: [
        .init("clientType", kind: .enumeration(clientTypes)), "tenantId",
        .init("version", kind: .enumeration(recaptchaVersions)),
      ], differs: notBuiltThere),
  ]

  private static let config =
    "`name`; password policies, mail templates, test numbers and ways to sign in that are off have "
    + "an effect; one policy for regions; masks in snake case; functions at http and https "
    + "addresses only"

  private static let clientTypes = [
    "CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID", "CLIENT_TYPE_IOS",
  ]
  private static let recaptchaVersions = ["RECAPTCHA_VERSION_UNSPECIFIED", "RECAPTCHA_ENTERPRISE"]
}
