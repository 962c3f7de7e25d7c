import HearthOperations
import HearthWire

extension Routes {
  /// Pages and control endpoints that the API description does not declare.
  static let hearth: [Route] = {
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
      pages.get(
        "auth/handler", operation: AuthHandler.self, differs: "other pages cannot frame it",
        "`data-` attributes for tests"),
      pages.get("auth/iframe", operation: AuthIframe.self),
      // The same pages where production has them.
      domain.get("action", operation: AuthDomainAction.self),
      Route(
        "POST", template: "/__/auth/action", id: "google.auth.action.submit", credential: .open,
        body: .form, action: .operation(SubmitAuthDomainAction.self)),
      domain.get("handler", operation: AuthHandler.self),
      // Where a provider posts its answer.
      Route(
        "POST", template: "/emulator/auth/handler", id: "hearth.auth.handler.post",
        credential: .open, body: .credentials, action: .operation(AuthHandler.self)),
      Route(
        "POST", template: "/__/auth/handler", id: "google.auth.handler.post", credential: .open,
        body: .credentials, action: .operation(AuthHandler.self)),
      domain.get("iframe", operation: AuthIframe.self),
      RouteRows("/apis.google.com/js/", id: "google.", credential: .open).get(
        "api.js", operation: FrameLibrary.self, id: "frames"),
      project.row(
        "POST", path: "/accounts:actAs", action: .operation(ActAs.self), id: ".accounts.actAs",
        body: .json(message: nil)),
      pages.row("GET", path: "openapi.json", action: .served(.openAPI), id: "openapi"),
      Route(
        "GET", template: "/emulator/openapi.json/", id: "emulator.openapi", credential: .open,
        isLegacyAlias: true, action: .served(.openAPI)),
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
