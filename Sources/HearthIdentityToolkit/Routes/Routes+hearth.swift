import HearthOperations
import HearthWire

extension Routes {
  /// Pages and control endpoints that the API description does not declare.
  static let hearth: [Route] = {
    let pages = RouteRows("/emulator/", id: "emulator.", .open)
    let project = RouteRows("/emulator/v1/projects/{targetProjectId}", id: "hearth", .control)
    return [
      pages.get(
        "action", ActionLink.self, differs: "a page for browsers, which works without scripts"),
      Route(
        "POST", "/emulator/action", "hearth.action.submit", .open, body: .form,
        .operation(SubmitActionForm.self)),
      pages.get("auth/handler", AuthHandler.self, differs: "other pages cannot frame it"),
      pages.get("auth/iframe", AuthIframe.self),
      project.row(
        "POST", "/accounts:actAs", .operation(ActAs.self), id: ".accounts.actAs",
        body: .json(message: nil)),
      project.get(
        "/clock:upcoming", UpcomingExpiries.self, id: ".clock.upcoming", query: ["limit"]),
      pages.row("GET", "openapi.json", .served(.openAPI), id: "openapi"),
      project.get("/switches", GetSwitches.self, id: ".switches.get"),
      project.row(
        "PATCH", "/switches", .operation(UpdateSwitches.self), id: ".switches.update",
        body: .json(message: nil)),
    ]
  }()
}
