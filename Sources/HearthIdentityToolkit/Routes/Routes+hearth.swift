import HearthOperations
import HearthWire

extension Routes {
  /// Pages and control endpoints that the API description does not declare.
  static let hearth: [Route] = {
    let pages = RouteRows("/emulator/", id: "emulator.", .open)
    let domain = RouteRows("/__/auth/", id: "google.auth.", .open)
    let known = RouteRows("/.well-known/", id: "hearth.links.", .open)
    let project = RouteRows("/emulator/v1/projects/{targetProjectId}", id: "hearth", .control)
    return [
      pages.get(
        "action", ActionLink.self, differs: "a page for browsers, which works without scripts",
        "other texts of `error` and `instructions`",
        "no redirect to a `javascript:` address; a redirect has no body"),
      Route(
        "POST", "/emulator/action", "hearth.action.submit", .open, body: .form,
        .operation(SubmitActionForm.self)),
      pages.get(
        "auth/handler", AuthHandler.self, differs: "other pages cannot frame it",
        "`data-` attributes for tests"),
      pages.get("auth/iframe", AuthIframe.self),
      // The same pages where production has them.
      domain.get("action", AuthDomainAction.self),
      Route(
        "POST", "/__/auth/action", "google.auth.action.submit", .open, body: .form,
        .operation(SubmitAuthDomainAction.self)),
      domain.get("handler", AuthHandler.self),
      // Where a provider posts its answer.
      Route(
        "POST", "/emulator/auth/handler", "hearth.auth.handler.post", .open, body: .credentials,
        .operation(AuthHandler.self)),
      Route(
        "POST", "/__/auth/handler", "google.auth.handler.post", .open, body: .credentials,
        .operation(AuthHandler.self)),
      domain.get("iframe", AuthIframe.self),
      RouteRows("/apis.google.com/js/", id: "google.", .open).get(
        "api.js", FrameLibrary.self, id: "frames"),
      project.row(
        "POST", "/accounts:actAs", .operation(ActAs.self), id: ".accounts.actAs",
        body: .json(message: nil)),
      pages.row("GET", "openapi.json", .served(.openAPI), id: "openapi"),
      Route(
        "GET", "/emulator/openapi.json/", "emulator.openapi", .open, isLegacyAlias: true,
        .served(.openAPI)),
      known.get("apple-app-site-association", AppleAppSiteAssociation.self, id: "apple"),
      known.get("assetlinks.json", AssetLinks.self, id: "android"),
      project.get("/appLinks", GetAppLinks.self, id: ".appLinks.get"),
      project.row(
        "PUT", "/appLinks", .operation(PutAppLinks.self), id: ".appLinks.put",
        body: .json(message: nil)),
      project.row(
        "POST", "/appLinks:check", .operation(CheckAppLinks.self), id: ".appLinks.check",
        body: .json(message: nil)),
      project.get("/switches", GetSwitches.self, id: ".switches.get"),
      project.row(
        "PATCH", "/switches", .operation(UpdateSwitches.self), id: ".switches.update",
        body: .json(message: nil)),
    ]
  }()
}
