import HearthOperations
import HearthWire

extension Routes {
  /// Pages and control endpoints that the API description does not declare.
  static let hearth: [Route] = [
    Route(
      "GET", "/emulator/action", "emulator.action", .open, .operation(ActionLink.self)),
    Route(
      "POST", "/emulator/action", "hearth.action.submit", .open, body: .form,
      .operation(SubmitActionForm.self)),
    Route(
      "GET", "/emulator/auth/handler", "emulator.auth.handler", .open,
      .operation(AuthHandler.self)),
    Route(
      "GET", "/emulator/auth/iframe", "emulator.auth.iframe", .open, .operation(AuthIframe.self)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}/accounts", "hearth.accounts.search", .control,
      query: [.init("q"), .init("limit"), .init("offset"), .init("tenantId")],
      .operation(SearchAccounts.self)),
    Route("GET", "/emulator/openapi.json", "emulator.openapi", .open, .served(.openAPI)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}/switches", "hearth.switches.get", .control,
      .operation(GetSwitches.self)),
    Route(
      "PATCH", "/emulator/v1/projects/{targetProjectId}/switches", "hearth.switches.update",
      .control, body: .json(message: nil), .operation(UpdateSwitches.self)),
  ]
}
