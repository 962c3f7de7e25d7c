import HearthIdentityToolkit
package import HearthOperations

/// The table of what only an emulator has of Auth: what the official one exposes, and our own.
package enum AuthControlRoutes {
  package static let all: [Route] = emulator + hearth

  /// What only an emulator has, as the official one exposes it.
  private static let emulator: [Route] = {
    let project = RouteRows(
      "/emulator/v1/projects/{targetProjectId}", id: "emulator.projects", messages: "EmulatorV1",
      credential: .open)
    let tenant = project.below("/tenants/{tenantId}", id: "")
    let (accounts, oobCodes) = (".accounts.delete", ".oobCodes.list")
    let verificationCodes = ".verificationCodes.list"
    return [
      project.delete("/accounts", operation: DeleteAccounts.self, id: accounts),
      tenant.delete("/accounts", operation: DeleteAccounts.self, id: accounts),
      project.get("/config", operation: GetEmulatorConfig.self, id: ".config.get"),
      project.patch(
        "/config", operation: UpdateEmulatorConfig.self, takes: "ProjectsConfig",
        id: ".config.update", differs: "`{}` changes nothing"),
      project.get("/oobCodes", operation: ListOobCodes.self, id: oobCodes),
      tenant.get("/oobCodes", operation: ListOobCodes.self, id: oobCodes),
      project.get(
        "/verificationCodes", operation: ListVerificationCodes.self, id: verificationCodes),
      tenant.get(
        "/verificationCodes", operation: ListVerificationCodes.self, id: verificationCodes),
    ]
  }()

  /// Pages and control endpoints that the API description does not declare.
  private static let hearth: [Route] = {
    let pages = RouteRows("/emulator/", id: "emulator.", credential: .open)
    let domain = RouteRows("/__/auth/", id: "google.auth.", credential: .open)
    let known = RouteRows("/.well-known/", id: "hearth.links.", credential: .open)
    let project = RouteRows(
      "/emulator/v1/projects/{targetProjectId}", id: "hearth", credential: .control)
    return [
      pages.get(
        "action", operation: ActionLink.self,
        differs: "a page for browsers, which works without scripts",
        "other texts of `error` and `instructions`",
        "no redirect to a `javascript:` address; a redirect has no body"),
      Route(
        "POST", template: "/emulator/action", id: "hearth.action.submit", credential: .open,
        body: .form, action: .operation(SubmitActionForm.self)),
      // The same page where production has it.
      domain.get("action", operation: AuthDomainAction.self),
      Route(
        "POST", template: "/__/auth/action", id: "google.auth.action.submit", credential: .open,
        body: .form, action: .operation(SubmitAuthDomainAction.self)),
      project.row(
        "POST", path: "/accounts:actAs", action: .operation(ActAs.self), id: ".accounts.actAs",
        body: .json(message: nil)),
      known.get("apple-app-site-association", operation: AppleAppSiteAssociation.self, id: "apple"),
      known.get("assetlinks.json", operation: AssetLinks.self, id: "android"),
      project.get("/appLinks", operation: GetAppLinks.self, id: ".appLinks.get"),
      project.row(
        "PUT", path: "/appLinks", action: .operation(PutAppLinks.self), id: ".appLinks.put",
        body: .json(message: nil)),
      project.row(
        "POST", path: "/appLinks:check", action: .operation(CheckAppLinks.self),
        id: ".appLinks.check", body: .json(message: nil)),
      project.get("/switches", operation: GetSwitches.self, id: ".switches.get"),
      project.row(
        "PATCH", path: "/switches", action: .operation(UpdateSwitches.self), id: ".switches.update",
        body: .json(message: nil)),
    ]
  }()
}
