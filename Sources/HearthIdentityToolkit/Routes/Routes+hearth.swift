import HearthOperations
import HearthWire

extension Routes {
  /// Pages and documents that the API description does not declare.
  static let hearth: [Route] = {
    let pages = RouteRows("/emulator/", id: "emulator.", credential: .open)
    let domain = RouteRows("/__/auth/", id: "google.auth.", credential: .open)
    return [
      pages.get(
        "auth/handler", operation: AuthHandler.self, differs: "other pages cannot frame it",
        "`data-` attributes for tests"),
      pages.get("auth/iframe", operation: AuthIframe.self),
      // The same page where production has it.
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
      pages.row("GET", path: "openapi.json", action: .served(.openAPI), id: "openapi"),
      Route(
        "GET", template: "/emulator/openapi.json/", id: "emulator.openapi", credential: .open,
        isLegacyAlias: true, action: .served(.openAPI)),
    ]
  }()
}
