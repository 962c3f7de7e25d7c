package import HearthOperations

/// The rows of App Check in the route table. Browsers ask the second host for tokens, everybody else
/// the first one.
package enum AppCheckRoutes {
  private static let hosts = [
    "firebaseappcheck.googleapis.com", "content-firebaseappcheck.googleapis.com",
  ]
  private static let versions = ["v1", "v1beta"]
  private static let json = Route.Body.json(message: nil)
  private static let mask = [Route.QueryParameter("updateMask")]

  package static let all: [Route] =
    versions.flatMap { version in
      hosts.flatMap { exchanges("/\($0)/\(version)") }
        + resources("/\(hosts[0])/\(version)")
    } + control

  /// Whether the path of a row is one of App Check's.
  package static func covers(_ template: String) -> Bool {
    hosts.contains { template.hasPrefix("/\($0)/") }
  }

  // MARK: Tokens

  private static let methods: [(String, any Operation.Type)] = [
    ("exchangeDebugToken", ExchangeDebugToken.self),
    ("exchangeRecaptchaV3Token", ExchangeRecaptchaV3Token.self),
    ("exchangeRecaptchaEnterpriseToken", ExchangeRecaptchaEnterpriseToken.self),
    ("exchangeDeviceCheckToken", ExchangeDeviceCheckToken.self),
    ("generateAppAttestChallenge", GenerateChallenge.self),
    ("exchangeAppAttestAttestation", ExchangeAppAttestAttestation.self),
    ("exchangeAppAttestAssertion", ExchangeAppAttestAssertion.self),
    ("generatePlayIntegrityChallenge", GenerateChallenge.self),
    ("exchangePlayIntegrityToken", ExchangePlayIntegrityToken.self),
    ("exchangeSafetyNetToken", ExchangeSafetyNetToken.self),
  ]

  private static func exchanges(_ base: String) -> [Route] {
    let app = base + "/projects/{targetProjectId}/apps/{app}"
    return methods.map { name, operation in
      Route(
        "POST", "\(app):\(name)", "firebaseappcheck.projects.apps.\(name)", .keyOnly, body: json,
        .operation(operation), switches: [])
    } + [
      Route(
        "POST", app + ":exchangeCustomToken",
        "firebaseappcheck.projects.apps.exchangeCustomToken", body: json,
        .operation(ExchangeCustomToken.self)),
      Route(
        "GET", base + "/jwks", "firebaseappcheck.jwks", .open, .operation(GetAppCheckKeys.self)),
    ]
  }

  // MARK: Resources

  private static func resources(_ base: String) -> [Route] {
    let project = base + "/projects/{targetProjectId}"
    return [
      row("POST", project + ":verifyAppCheckToken", "verifyAppCheckToken", VerifyAppCheckToken.self)
    ] + ofApps(project + "/apps") + services(project + "/services")
  }

  private static func ofApps(_ apps: String) -> [Route] {
    let tokens = apps + "/{app}/debugTokens"
    let id = "apps.debugTokens."
    return [
      row("POST", tokens, id + "create", CreateDebugToken.self),
      row("GET", tokens, id + "list", ListDebugTokens.self),
      row("GET", tokens + "/{debugToken}", id + "get", GetDebugToken.self),
      row("PATCH", tokens + "/{debugToken}", id + "patch", UpdateDebugToken.self),
      row("DELETE", tokens + "/{debugToken}", id + "delete", DeleteDebugToken.self),
      row(
        "GET", apps + "/-/{config}:batchGet", "apps.config.batchGet", BatchGetProviderConfigs.self),
      row("GET", apps + "/{app}/{config}", "apps.config.get", GetProviderConfig.self),
      row("PATCH", apps + "/{app}/{config}", "apps.config.patch", UpdateProviderConfig.self),
    ]
  }

  private static func services(_ services: String) -> [Route] {
    let policies = services + "/{service}/resourcePolicies"
    let id = "services.resourcePolicies."
    return [
      row("GET", services, "services.list", ListServices.self),
      row("POST", services + ":batchUpdate", "services.batchUpdate", BatchUpdateServices.self),
      row("GET", services + "/{service}", "services.get", GetService.self),
      row("PATCH", services + "/{service}", "services.patch", UpdateService.self),
      row("POST", policies, id + "create", CreateResourcePolicy.self),
      row("GET", policies, id + "list", ListResourcePolicies.self),
      row("GET", policies + "/{policy}", id + "get", GetResourcePolicy.self),
      row("PATCH", policies + "/{policy}", id + "patch", UpdateResourcePolicy.self),
      row("DELETE", policies + "/{policy}", id + "delete", DeleteResourcePolicy.self),
    ]
  }

  private static func row(
    _ method: String, _ template: String, _ id: String, _ operation: any Operation.Type
  ) -> Route {
    let takesBody = method == "POST" || method == "PATCH"
    return Route(
      method, template, "firebaseappcheck.projects." + id, body: takesBody ? json : .none,
      query: method == "PATCH" ? mask : [], .operation(operation))
  }

  // MARK: Control

  private static let project = "/emulator/v1/projects/{targetProjectId}"

  private static let control: [Route] = [
    Route(
      "GET", project + "/appCheck", "hearth.appCheck.get", .control, .operation(GetAppCheck.self)),
    Route(
      "DELETE", project + "/appCheck", "hearth.appCheck.clear", .control,
      .operation(ClearAppCheckReport.self)),
    Route(
      "POST", project + "/appCheck:token", "hearth.appCheck.token", .control, body: json,
      .operation(CreateAppCheckToken.self)),
  ]
}
