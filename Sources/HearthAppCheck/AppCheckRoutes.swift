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
  private static let etag = [Route.QueryParameter("etag")]

  package static let all: [Route] =
    versions.flatMap { version in
      hosts.flatMap { exchanges("/\($0)/\(version)") + ofClients("/\($0)/\(version)") }
        + resources("/\(hosts[0])/\(version)")
    } + control

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
        "POST", template: "\(app):\(name)", id: "firebaseappcheck.projects.apps.\(name)",
        credential: .keyOnly, body: json,
        action: .operation(operation), switches: [])
    } + [
      Route(
        "POST", template: app + ":exchangeCustomToken",
        id: "firebaseappcheck.projects.apps.exchangeCustomToken", body: json,
        action: .operation(ExchangeCustomToken.self)),
      Route(
        "GET", template: base + "/jwks", id: "firebaseappcheck.jwks", credential: .open,
        action: .operation(GetAppCheckKeys.self)),
    ]
  }

  /// The exchanges of Google Sign-In for iOS, whose resource is an OAuth client. Neither a project nor
  /// a key need be named.
  private static let clientMethods: Set<String> = [
    "exchangeDebugToken", "generateAppAttestChallenge", "exchangeAppAttestAttestation",
    "exchangeAppAttestAssertion",
  ]

  private static func ofClients(_ base: String) -> [Route] {
    methods.filter { clientMethods.contains($0.0) }.map { name, operation in
      Route(
        "POST", template: "\(base)/oauthClients/{app}:\(name)",
        id: "firebaseappcheck.oauthClients.\(name)", credential: .open, body: json,
        action: .operation(operation), switches: [])
    }
  }

  // MARK: Resources

  private static func resources(_ base: String) -> [Route] {
    let project = base + "/projects/{targetProjectId}"
    return [
      row(
        "POST", template: project + ":verifyAppCheckToken", id: "verifyAppCheckToken",
        operation: VerifyAppCheckToken.self)
    ] + ofApps(project + "/apps") + services(project + "/services")
  }

  private static func ofApps(_ apps: String) -> [Route] {
    let tokens = apps + "/{app}/debugTokens"
    let id = "apps.debugTokens."
    return [
      row(
        "POST", template: apps + "/{app}:mintAppCheckToken", id: "apps.mintAppCheckToken",
        operation: MintAppCheckToken.self),
      row("POST", template: tokens, id: id + "create", operation: CreateDebugToken.self),
      row("GET", template: tokens, id: id + "list", operation: ListDebugTokens.self),
      row("GET", template: tokens + "/{debugToken}", id: id + "get", operation: GetDebugToken.self),
      row(
        "PATCH", template: tokens + "/{debugToken}", id: id + "patch",
        operation: UpdateDebugToken.self),
      row(
        "DELETE", template: tokens + "/{debugToken}", id: id + "delete",
        operation: DeleteDebugToken.self),
      row(
        "GET", template: apps + "/-/{config}:batchGet", id: "apps.config.batchGet",
        operation: BatchGetProviderConfigs.self),
      row(
        "GET", template: apps + "/{app}/{config}", id: "apps.config.get",
        operation: GetProviderConfig.self),
      row(
        "PATCH", template: apps + "/{app}/{config}", id: "apps.config.patch",
        operation: UpdateProviderConfig.self),
    ]
  }

  private static func services(_ services: String) -> [Route] {
    let policies = services + "/{service}/resourcePolicies"
    let id = "services.resourcePolicies."
    return [
      row("GET", template: services, id: "services.list", operation: ListServices.self),
      row(
        "POST", template: services + ":batchUpdate", id: "services.batchUpdate",
        operation: BatchUpdateServices.self),
      row("GET", template: services + "/{service}", id: "services.get", operation: GetService.self),
      row(
        "PATCH", template: services + "/{service}", id: "services.patch",
        operation: UpdateService.self),
      row("POST", template: policies, id: id + "create", operation: CreateResourcePolicy.self),
      row("GET", template: policies, id: id + "list", operation: ListResourcePolicies.self),
      row(
        "POST", template: policies + ":batchUpdate", id: id + "batchUpdate",
        operation: BatchUpdateResourcePolicies.self),
      row(
        "GET", template: policies + "/{policy}", id: id + "get", operation: GetResourcePolicy.self),
      row(
        "PATCH", template: policies + "/{policy}", id: id + "patch",
        operation: UpdateResourcePolicy.self),
      row(
        "DELETE", template: policies + "/{policy}", id: id + "delete",
        operation: DeleteResourcePolicy.self),
    ]
  }

  private static func row(
    _ method: String, template: String, id: String, operation: any Operation.Type
  ) -> Route {
    let takesBody = method == "POST" || method == "PATCH"
    return Route(
      method, template: template, id: "firebaseappcheck.projects." + id, credential: .bearer,
      body: takesBody ? json : .none,
      query: method == "PATCH" ? mask : method == "DELETE" ? etag : [],
      action: .operation(operation))
  }

  // MARK: Control

  private static let project = "/emulator/v1/projects/{targetProjectId}"

  private static let control: [Route] = [
    Route(
      "GET", template: project + "/appCheck", id: "hearth.appCheck.get", credential: .control,
      action: .operation(GetAppCheck.self)),
    Route(
      "DELETE", template: project + "/appCheck", id: "hearth.appCheck.clear", credential: .control,
      action: .operation(ClearAppCheckReport.self)),
    Route(
      "POST", template: project + "/appCheck:token", id: "hearth.appCheck.token",
      credential: .control, body: json, action: .operation(CreateAppCheckToken.self)),
  ]
}
