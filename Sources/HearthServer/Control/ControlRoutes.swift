import HearthOperations

/// What a test or a person steers a running server with.
enum ControlRoutes {
  private static let project = "/emulator/v1/projects/{targetProjectId}"
  private static let database = project + "/databases/{databaseId}"
  private static let snapshot = project + "/snapshots/{snapshot}"

  static let all: [Endpoint] =
    [
      control("GET", "/emulator/v1/projects", "hearth.projects.list", ListProjects.self),
      control(
        "POST", "/emulator/v1/projects", "hearth.projects.open", body: json, OpenProject.self),
      control("GET", project + "/clock", "hearth.clock.get", GetClock.self),
      control("PATCH", project + "/clock", "hearth.clock.update", body: json, UpdateClock.self),
      control("DELETE", project + "/clock", "hearth.clock.reset", ResetClock.self),
      control(
        "GET", project + "/clock:upcoming", "hearth.clock.upcoming", query: [.init("limit")],
        ListUpcoming.self),
      control("GET", project + "/faults", "hearth.faults.list", ListFaults.self),
      control("PUT", project + "/faults", "hearth.faults.replace", body: json, ReplaceFaults.self),
      control("POST", project + "/faults", "hearth.faults.add", body: json, AddFault.self),
      control("DELETE", project + "/faults", "hearth.faults.clear", ClearFaults.self),
      control(
        "GET", project + "/requests", "hearth.requests.list",
        query: (RequestFilter.parameters + ["wait"]).map { .init($0) }, ListRequests.self),
      control("DELETE", project + "/requests", "hearth.requests.clear", ClearRequests.self),
      // Not a control endpoint: those answer to pages of this machine too.
      open(
        "POST", "/shutdown", "emulator.firestore.shutdown", ShutDown.self,
        differs: ["refuses web pages; 403 under `hearth exec`"]),
      control("GET", project + "/events", "hearth.events.watch", StreamEvents.self),
      control("GET", project + "/seed", "hearth.seed.dump", GetSeed.self),
      control("POST", project + "/seed", "hearth.seed.apply", body: json, ApplySeed.self),
    ] + ofPages + ofSharing + ofSnapshots

  /// The console, and its files.
  private static let ofPages: [Endpoint] = ["GET", "HEAD"].flatMap { method in
    [
      control(method, "/console", "hearth.console", GetConsole.self),
      control(method, "/console/", "hearth.console", GetConsole.self),
      control(method, "/console/assets/{asset}", "hearth.console.asset", GetConsole.self),
      control(method, "/console/assets/{folder}/{asset}", "hearth.console.asset", GetConsole.self),
      control(
        method, "/console/assets/{version}/{folder}/{asset}", "hearth.console.asset",
        GetConsole.self),
    ]
  }

  private static let ofSharing: [Endpoint] = [
    control("POST", "/console/signIn", "hearth.signIn", body: .form, SignIn.self)
  ]

  private static let ofSnapshots: [Endpoint] = [
    control("GET", project + "/snapshots", "hearth.snapshots.list", ListSnapshots.self),
    control("POST", project + "/snapshots", "hearth.snapshots.save", body: json, SaveSnapshot.self),
    control(
      "POST", project + "/snapshots:automatic", "hearth.snapshots.saveAutomatic", body: json,
      SaveAutomaticSnapshot.self),
    control("DELETE", snapshot, "hearth.snapshots.delete", DeleteSnapshot.self),
    control(
      "POST", snapshot + ":restore", "hearth.snapshots.restore", body: json, RestoreSnapshot.self),
    control("POST", snapshot + ":fork", "hearth.snapshots.fork", body: json, ForkSnapshot.self),
  ]

  /// Functions and webhooks, which get events.
  static let ofEvents: [Endpoint] = [
    control(
      "PUT", project + "/triggers/{triggerId}", "emulator.firestore.setTrigger", body: json,
      differs: [triggers], RegisterTrigger.self),
    control(
      "POST", project + "/eventarcTrigger", "emulator.firestore.setEventarcTrigger", body: json,
      query: [.init("eventarcTriggerId")], differs: [triggers], RegisterEventarcTrigger.self),
    control("GET", project + "/triggers", "hearth.triggers.list", ListTriggers.self),
    control(
      "PUT", project + "/webhooks", "hearth.webhooks.replace", body: json, ReplaceWebhooks.self),
    control("GET", project + "/webhooks", "hearth.webhooks.list", ListWebhooks.self),
    control("DELETE", project + "/webhooks", "hearth.webhooks.clear", ClearWebhooks.self),
  ]

  private static let presets = "/emulator/v1/faultPresets"

  /// What the console asks for.
  static let ofConsole: [Endpoint] = [
    control("GET", "/emulator/v1/overview", "hearth.overview", GetOverview.self),
    control("DELETE", project, "hearth.projects.delete", DeleteProject.self),
    control(
      "POST", project + "/templates:preview", "hearth.templates.preview", body: json,
      PreviewTemplate.self),
    control("GET", "/emulator/v1/operations", "hearth.operations.list", ListOperations.self),
    control("GET", presets, "hearth.faultPresets.list", ListFaultPresets.self),
    control(
      "PUT", presets + "/{presetName}", "hearth.faultPresets.keep", body: json,
      KeepFaultPreset.self),
    control(
      "DELETE", presets + "/{presetName}", "hearth.faultPresets.delete", DeleteFaultPreset.self),
    control(
      "POST", project + "/faultPresets/{presetName}:apply", "hearth.faultPresets.apply",
      body: json, ApplyFaultPreset.self),
    control(
      "GET", project + "/requests:har", "hearth.requests.export",
      query: RequestFilter.parameters.map { .init($0) }, ExportRequests.self),
    control("GET", project + "/requests/{requestId}", "hearth.requests.get", GetRequest.self),
    control(
      "POST", project + "/requests/{requestId}:replay", "hearth.requests.replay", body: json,
      ReplayRequest.self),
    control(
      "GET", project + "/accounts", "hearth.accounts.search",
      query: ListUsers.parameters.map { .init($0) }, ListUsers.self),
    control(
      "POST", project + "/accounts:bulk", "hearth.accounts.bulk", body: json, ChangeUsers.self),
    control(
      "POST", project + "/rules:evaluate", "hearth.rules.evaluate", body: json,
      EvaluateRules.self),
    control(
      "GET", project + "/rules:coverage", "hearth.rules.coverage", query: [.init("database")],
      GetRuleCoverage.self),
    control(
      "DELETE", project + "/rules:coverage", "hearth.rules.resetCoverage",
      query: [.init("database")], ResetRuleCoverage.self),
    control(
      "GET", project + "/rules", "hearth.rules.get", query: [.init("database")],
      GetRulesSource.self),
    control(
      "PUT", project + "/rules", "hearth.rules.set", body: json, query: [.init("database")],
      SetRules.self),
    control(
      "DELETE", project + "/rules", "hearth.rules.remove", query: [.init("database")],
      RemoveRules.self),
    control("GET", project + "/databases", "hearth.databases.list", ListDatabases.self),
    control(
      "GET", database + "/collections", "hearth.collections.list", query: [.init("parent")],
      ListCollections.self),
    control(
      "POST", database + ":importDocuments", "hearth.documents.import", body: .file,
      query: ImportDocuments.parameters.map { .init($0) }, ImportDocuments.self),
    control(
      "POST", database + ":exportQuery", "hearth.documents.exportQuery", body: json,
      ExportQuery.self),
  ]

  /// What coding agents and phones ask for.
  static let ofAgents: [Endpoint] = [
    // A tool may wait for a mail.
    control("POST", "/mcp", "hearth.mcp", body: .file, alwaysWaits: true, AnswerMCP.self),
    open("GET", "/setup", "hearth.setup", GetSetupPage.self),
    open("GET", PhoneAuthority.profilePath, "hearth.setup.profile", GetSetupProfile.self),
    open(
      "GET", PhoneAuthority.certificatePath, "hearth.setup.certificate", GetSetupCertificate.self),
    open("GET", "/llms.txt", "hearth.agents.guide", GetAgentGuide.self),
  ]

  private static let indexes = database + "/indexes"

  /// The indexes of a database, and what queries miss of them.
  static let ofIndexes: [Endpoint] = [
    control("GET", indexes, "hearth.indexes.get", GetIndexes.self),
    control("PUT", indexes, "hearth.indexes.replace", body: json, ReplaceIndexes.self),
    control("POST", indexes + ":add", "hearth.indexes.add", body: json, AddIndexes.self),
    control("POST", indexes + ":check", "hearth.indexes.check", body: json, CheckIndexes.self),
    control("POST", indexes + ":plan", "hearth.indexes.plan", body: json, PlanIndexes.self),
    control("GET", indexes + ":report", "hearth.indexes.report", ReportIndexes.self),
    // Where links in messages about missing indexes lead, as in production.
    control(
      "GET", "/v1/r/project/{targetProjectId}/firestore/indexes", "hearth.indexes.page",
      query: [.init("create_composite"), .init("create_exemption")], ShowIndexPage.self),
  ]

  private static let triggers =
    "a pattern that can match nothing is a 400; named databases for both generations; refuses web "
    + "pages"

  private static let account = "securetoken@system.gserviceaccount.com"

  /// Keys stand at the addresses that libraries know, below the host name and without it.
  static let ofServer: [Endpoint] = [
    open("GET", "/", "emulator.ready", GetReady.self),
    open(
      "GET", "/www.googleapis.com/service_accounts/v1/jwk/\(account)", "keys.jwks",
      GetJwks.self),
    open(
      "GET", "/www.googleapis.com/robot/v1/metadata/x509/\(account)", "keys.certificates",
      GetCertificates.self),
    open("GET", "/.well-known/jwks.json", "keys.jwks", GetJwks.self),
    open(
      "GET", "/.well-known/openid-configuration", "keys.openid", GetOpenIDConfiguration.self),
    open(
      "GET", "/securetoken.google.com/{projectId}/.well-known/openid-configuration",
      "keys.openid", GetOpenIDConfiguration.self),
    open(
      "GET", "/{projectId}/.well-known/openid-configuration", "keys.openid",
      GetOpenIDConfiguration.self),
    control("POST", "/emulator/v1/keys:rotate", "hearth.keys.rotate", body: json, RotateKeys.self),
    control("GET", "/emulator/v1/ca.pem", "hearth.tls.authority", GetAuthority.self),
    control("GET", "/emulator/v1/refusedHosts", "hearth.tls.refusedHosts", GetRefusedHosts.self),
    control(
      "POST", project + "/messages/{messageId}:release", "hearth.messages.release", body: json,
      ReleaseMessage.self),
    control("POST", project + ":export", "hearth.export", body: json, ExportProject.self),
    control("POST", project + ":import", "hearth.import", body: json, ImportProject.self),
    control("POST", database + ":export", "hearth.export", body: json, ExportProject.self),
    control("POST", database + ":import", "hearth.import", body: json, ImportProject.self),
  ]

  private static let json = Route.Body.json(message: nil)

  private static func control(
    _ method: String, _ template: String, _ id: String, body: Route.Body = .none,
    query: [Route.QueryParameter] = [], alwaysWaits: Bool = false, differs: [String] = [],
    _ operation: any ServerOperation.Type
  ) -> Endpoint {
    Endpoint(
      Route(
        method, template, id, .control, body: body, query: query, alwaysWaits: alwaysWaits,
        .server, differs: differs),
      .server(operation))
  }

  private static func open(
    _ method: String, _ template: String, _ id: String, _ operation: any ServerOperation.Type,
    differs: [String] = []
  ) -> Endpoint {
    Endpoint(
      Route(method, template, id, .open, .server, differs: differs), .server(operation))
  }
}
