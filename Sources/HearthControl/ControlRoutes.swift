import HearthObservation
import HearthOperations

/// What a test or a person steers a running server with.
package enum ControlRoutes {
  private static let project = "/emulator/v1/projects/{targetProjectId}"
  private static let database = project + "/databases/{databaseId}"
  private static let snapshot = project + "/snapshots/{snapshot}"

  package static let all: [ServerRoute] =
    ofServer + ofProjects + ofPages + ofSharing + ofSnapshots + ofEvents + ofConsole + ofIndexes
    + ofAgents

  private static let ofProjects: [ServerRoute] =
    [
      control(
        "POST", template: "/emulator/v1/projects", id: "hearth.projects.open", body: json,
        audience: .operator, operation: OpenProject.self),
      control(
        "GET", template: "/emulator/v1/projects", id: "hearth.projects.list",
        operation: ListProjects.self),
      control(
        "GET", template: project + "/clock", id: "hearth.clock.get", operation: GetClock.self),
      control(
        "PATCH", template: project + "/clock", id: "hearth.clock.update", body: json,
        operation: UpdateClock.self),
      control(
        "DELETE", template: project + "/clock", id: "hearth.clock.reset", operation: ResetClock.self
      ),
      control(
        "GET", template: project + "/clock:upcoming", id: "hearth.clock.upcoming",
        query: [.init("limit")], operation: ListUpcoming.self),
      control(
        "GET", template: project + "/faults", id: "hearth.faults.list", operation: ListFaults.self),
      control(
        "PUT", template: project + "/faults", id: "hearth.faults.replace", body: json,
        operation: ReplaceFaults.self),
      control(
        "POST", template: project + "/faults", id: "hearth.faults.add", body: json,
        operation: AddFault.self),
      control(
        "DELETE", template: project + "/faults", id: "hearth.faults.clear",
        operation: ClearFaults.self),
      control(
        "GET", template: project + "/requests", id: "hearth.requests.list",
        query: (RequestFilter.parameters + ["wait"]).map { .init($0) }, operation: ListRequests.self
      ),
      control(
        "DELETE", template: project + "/requests", id: "hearth.requests.clear",
        operation: ClearRequests.self),
      // Not a control endpoint: those answer to pages of this machine too.
      open(
        "POST", template: "/shutdown", id: "emulator.firestore.shutdown", audience: .operator,
        operation: ShutDown.self,
        differs: ["refuses web pages; 403 under `hearth exec`"]),
      control(
        "GET", template: project + "/events", id: "hearth.events.watch",
        operation: StreamEvents.self),
      control("GET", template: project + "/seed", id: "hearth.seed.dump", operation: GetSeed.self),
      control(
        "POST", template: project + "/seed", id: "hearth.seed.apply", body: json,
        operation: ApplySeed.self),
    ]

  /// The console, and its files.
  private static let ofPages: [ServerRoute] = ["GET", "HEAD"].flatMap { method in
    [
      control(
        method, template: "/console", id: "hearth.console", audience: .projectPage,
        operation: GetConsole.self),
      control(
        method, template: "/console/", id: "hearth.console", audience: .projectPage,
        operation: GetConsole.self),
      control(
        method, template: "/console/assets/{asset}", id: "hearth.console.asset",
        audience: .everybody, operation: GetConsole.self),
      control(
        method, template: "/console/assets/{folder}/{asset}", id: "hearth.console.asset",
        audience: .everybody, operation: GetConsole.self),
      control(
        method, template: "/console/assets/{version}/{folder}/{asset}", id: "hearth.console.asset",
        audience: .everybody, operation: GetConsole.self),
    ]
  }

  private static let ofSharing: [ServerRoute] = [
    control(
      "POST", template: "/console/signIn", id: "hearth.signIn", body: .form, audience: .everybody,
      operation: SignIn.self)
  ]

  private static let ofSnapshots: [ServerRoute] = [
    control(
      "GET", template: project + "/snapshots", id: "hearth.snapshots.list",
      operation: ListSnapshots.self),
    control(
      "POST", template: project + "/snapshots", id: "hearth.snapshots.save", body: json,
      operation: SaveSnapshot.self),
    control(
      "POST", template: project + "/snapshots:automatic", id: "hearth.snapshots.saveAutomatic",
      body: json, operation: SaveAutomaticSnapshot.self),
    control(
      "DELETE", template: snapshot, id: "hearth.snapshots.delete", query: [.init("createdAt")],
      operation: DeleteSnapshot.self),
    control(
      "POST", template: snapshot + ":restore", id: "hearth.snapshots.restore", body: json,
      operation: RestoreSnapshot.self),
    control(
      "POST", template: snapshot + ":fork", id: "hearth.snapshots.fork", body: json,
      audience: .operator, operation: ForkSnapshot.self),
    control(
      "GET", template: project + "/rewind", id: "hearth.rewind.get",
      query: [.init("request"), .init("time")], operation: GetRewind.self),
    control(
      "POST", template: project + "/rewind", id: "hearth.rewind", body: json,
      audience: .operator, operation: RewindProject.self),
  ]

  /// Functions and webhooks, which get events.
  private static let ofEvents: [ServerRoute] = [
    control(
      "PUT", template: project + "/triggers/{triggerId}", id: "emulator.firestore.setTrigger",
      body: json, differs: [triggers], operation: RegisterTrigger.self),
    control(
      "POST", template: project + "/eventarcTrigger", id: "emulator.firestore.setEventarcTrigger",
      body: json, query: [.init("eventarcTriggerId")], differs: [triggers],
      operation: RegisterEventarcTrigger.self),
    control(
      "GET", template: project + "/triggers", id: "hearth.triggers.list",
      operation: ListTriggers.self),
    control(
      "PUT", template: project + "/webhooks", id: "hearth.webhooks.replace", body: json,
      operation: ReplaceWebhooks.self),
    control(
      "GET", template: project + "/webhooks", id: "hearth.webhooks.list",
      operation: ListWebhooks.self),
    control(
      "DELETE", template: project + "/webhooks", id: "hearth.webhooks.clear",
      operation: ClearWebhooks.self),
  ]

  private static let presets = "/emulator/v1/faultPresets"

  /// What the console asks for.
  private static let ofConsole: [ServerRoute] = [
    control(
      "GET", template: "/emulator/v1/overview", id: "hearth.overview", operation: GetOverview.self),
    control(
      "DELETE", template: project, id: "hearth.projects.delete", operation: DeleteProject.self),
    control(
      "POST", template: project + "/templates:preview", id: "hearth.templates.preview", body: json,
      operation: PreviewTemplate.self),
    control(
      "POST", template: "/emulator/v1/links:check", id: "hearth.links.check", body: json,
      operation: CheckLinks.self),
    control(
      "GET", template: "/emulator/v1/operations", id: "hearth.operations.list",
      operation: ListOperations.self),
    control(
      "GET", template: presets, id: "hearth.faultPresets.list", operation: ListFaultPresets.self),
    control(
      "PUT", template: presets + "/{presetName}", id: "hearth.faultPresets.keep", body: json,
      audience: .operator, operation: KeepFaultPreset.self),
    control(
      "DELETE", template: presets + "/{presetName}", id: "hearth.faultPresets.delete",
      audience: .operator, operation: DeleteFaultPreset.self),
    control(
      "POST", template: project + "/faultPresets/{presetName}:apply",
      id: "hearth.faultPresets.apply", body: json, operation: ApplyFaultPreset.self),
    control(
      "GET", template: project + "/requests:har", id: "hearth.requests.export",
      query: RequestFilter.parameters.map { .init($0) }, operation: ExportRequests.self),
    control(
      "POST", template: project + "/requests:compare", id: "hearth.requests.compare", body: json,
      operation: CompareRequests.self),
    control(
      "GET", template: project + "/requests/{requestId}", id: "hearth.requests.get",
      operation: GetRequest.self),
    control(
      "POST", template: project + "/requests/{requestId}:replay", id: "hearth.requests.replay",
      body: json, operation: ReplayRequest.self),
    control(
      "GET", template: project + "/accounts", id: "hearth.accounts.search",
      query: ListUsers.parameters.map { .init($0) }, operation: ListUsers.self),
    control(
      "POST", template: project + "/accounts:bulk", id: "hearth.accounts.bulk", body: json,
      operation: ChangeUsers.self),
    control(
      "POST", template: project + "/rules:evaluate", id: "hearth.rules.evaluate", body: json,
      operation: EvaluateRules.self),
    control(
      "GET", template: project + "/rules:coverage", id: "hearth.rules.coverage",
      query: [.init("database")], operation: GetRuleCoverage.self),
    control(
      "DELETE", template: project + "/rules:coverage", id: "hearth.rules.resetCoverage",
      query: [.init("database")], operation: ResetRuleCoverage.self),
    control(
      "GET", template: project + "/rules", id: "hearth.rules.get", query: [.init("database")],
      operation: GetRulesSource.self),
    control(
      "PUT", template: project + "/rules", id: "hearth.rules.set", body: json,
      query: [.init("database")], operation: SetRules.self),
    control(
      "DELETE", template: project + "/rules", id: "hearth.rules.remove", query: [.init("database")],
      operation: RemoveRules.self),
    control(
      "PUT", template: project + "/rules:file", id: "hearth.rules.writeFile", body: json,
      query: [.init("database")], operation: WriteRulesFile.self),
    control(
      "GET", template: project + "/rules:requests", id: "hearth.rules.requests",
      query: [.init("line"), .init("database")], operation: ListRuleRequests.self),
    control(
      "GET", template: project + "/databases", id: "hearth.databases.list",
      operation: ListDatabases.self),
    control(
      "GET", template: database + "/collections", id: "hearth.collections.list",
      query: [.init("parent")], operation: ListCollections.self),
    control(
      "POST", template: database + ":importDocuments", id: "hearth.documents.import", body: .file,
      query: ImportDocuments.parameters.map { .init($0) }, operation: ImportDocuments.self),
    control(
      "POST", template: database + ":exportQuery", id: "hearth.documents.exportQuery", body: json,
      operation: ExportQuery.self),
  ]

  /// What coding agents and phones ask for.
  private static let ofAgents: [ServerRoute] = [
    // A tool may wait for a mail.
    control(
      "POST", template: "/mcp", id: "hearth.mcp", body: .file, alwaysWaits: true,
      operation: AnswerMCP.self),
    open("GET", template: "/setup", id: "hearth.setup", operation: GetSetupPage.self),
    open(
      "GET", template: PhoneAuthority.profilePath, id: "hearth.setup.profile",
      operation: GetSetupProfile.self),
    open(
      "GET", template: PhoneAuthority.certificatePath, id: "hearth.setup.certificate",
      operation: GetSetupCertificate.self),
    open("GET", template: "/llms.txt", id: "hearth.agents.guide", operation: GetAgentGuide.self),
  ]

  private static let indexes = database + "/indexes"

  /// The indexes of a database, and what queries miss of them.
  private static let ofIndexes: [ServerRoute] = [
    control("GET", template: indexes, id: "hearth.indexes.get", operation: GetIndexes.self),
    control(
      "PUT", template: indexes, id: "hearth.indexes.replace", body: json,
      operation: ReplaceIndexes.self),
    control(
      "POST", template: indexes + ":add", id: "hearth.indexes.add", body: json,
      operation: AddIndexes.self),
    control(
      "POST", template: indexes + ":check", id: "hearth.indexes.check", body: json,
      operation: CheckIndexes.self),
    control(
      "POST", template: indexes + ":plan", id: "hearth.indexes.plan", body: json,
      operation: PlanIndexes.self),
    control(
      "GET", template: indexes + ":report", id: "hearth.indexes.report",
      operation: ReportIndexes.self),
    // Where links in messages about missing indexes lead, as in production.
    control(
      "GET", template: "/v1/r/project/{targetProjectId}/firestore/indexes",
      id: "hearth.indexes.page",
      query: [.init("create_composite"), .init("create_exemption")], operation: ShowIndexPage.self),
  ]

  private static let triggers =
    "a pattern that can match nothing is a 400; named databases for both generations; refuses web "
    + "pages"

  private static let account = "securetoken@system.gserviceaccount.com"

  /// Keys stand at the addresses that libraries know, below the host name and without it.
  private static let ofServer: [ServerRoute] = [
    open("GET", template: "/", id: "emulator.ready", operation: GetReady.self),
    open(
      "GET", template: "/www.googleapis.com/service_accounts/v1/jwk/\(account)", id: "keys.jwks",
      operation: GetJwks.self),
    open(
      "GET", template: "/www.googleapis.com/robot/v1/metadata/x509/\(account)",
      id: "keys.certificates",
      operation: GetCertificates.self),
    open("GET", template: "/.well-known/jwks.json", id: "keys.jwks", operation: GetJwks.self),
    open(
      "GET", template: "/.well-known/openid-configuration", id: "keys.openid",
      operation: GetOpenIDConfiguration.self),
    open(
      "GET", template: "/securetoken.google.com/{projectId}/.well-known/openid-configuration",
      id: "keys.openid", operation: GetOpenIDConfiguration.self),
    open(
      "GET", template: "/{projectId}/.well-known/openid-configuration", id: "keys.openid",
      operation: GetOpenIDConfiguration.self),
    control(
      "POST", template: "/emulator/v1/keys:rotate", id: "hearth.keys.rotate", body: json,
      audience: .operator, operation: RotateKeys.self),
    control(
      "GET", template: "/emulator/v1/ca.pem", id: "hearth.tls.authority",
      operation: GetAuthority.self),
    control(
      "GET", template: "/emulator/v1/refusedHosts", id: "hearth.tls.refusedHosts",
      audience: .operator, operation: GetRefusedHosts.self),
    control(
      "POST", template: project + "/messages/{messageId}:release", id: "hearth.messages.release",
      body: json, operation: ReleaseMessage.self),
    control(
      "POST", template: project + ":export", id: "hearth.export", body: json,
      audience: .operator, operation: ExportProject.self),
    control(
      "POST", template: project + ":import", id: "hearth.import", body: json,
      audience: .operator, operation: ImportProject.self),
    control(
      "POST", template: database + ":export", id: "hearth.export", body: json,
      audience: .operator, operation: ExportProject.self),
    control(
      "POST", template: database + ":import", id: "hearth.import", body: json,
      audience: .operator, operation: ImportProject.self),
  ]

  private static let json = Route.Body.json(message: nil)

  private static func control(
    _ method: String, template: String, id: String, body: Route.Body = .none,
    query: [Route.QueryParameter] = [], alwaysWaits: Bool = false,
    audience: Route.Audience = .project, differs: [String] = [],
    operation: any ServerOperation.Type
  ) -> ServerRoute {
    ServerRoute(
      Route(
        method, template: template, id: id, credential: .control, body: body, query: query,
        alwaysWaits: alwaysWaits, audience: audience, action: .server, differs: differs),
      operation: operation)
  }

  private static func open(
    _ method: String, template: String, id: String, audience: Route.Audience = .project,
    operation: any ServerOperation.Type, differs: [String] = []
  ) -> ServerRoute {
    ServerRoute(
      Route(
        method, template: template, id: id, credential: .open, audience: audience, action: .server,
        differs: differs),
      operation: operation)
  }
}
