import HearthOperations

extension Routes {
  /// What only an emulator has, as the official one exposes it.
  static let emulator: [Route] = [
    Route(
      "DELETE", "/emulator/v1/projects/{targetProjectId}/accounts",
      "emulator.projects.accounts.delete", .open, .operation(DeleteAccounts.self)),
    Route(
      "DELETE", "/emulator/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts",
      "emulator.projects.accounts.delete", .open, .operation(DeleteAccounts.self)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}/config", "emulator.projects.config.get",
      .open, .operation(GetEmulatorConfig.self)),
    Route(
      "PATCH", "/emulator/v1/projects/{targetProjectId}/config", "emulator.projects.config.update",
      .open, body: .json(message: "EmulatorV1ProjectsConfig"), .operation(UpdateEmulatorConfig.self)
    ),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}/oobCodes", "emulator.projects.oobCodes.list",
      .open, .operation(ListOobCodes.self)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}/tenants/{tenantId}/oobCodes",
      "emulator.projects.oobCodes.list", .open, .operation(ListOobCodes.self)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}/verificationCodes",
      "emulator.projects.verificationCodes.list", .open, .operation(ListVerificationCodes.self)),
    Route(
      "GET", "/emulator/v1/projects/{targetProjectId}/tenants/{tenantId}/verificationCodes",
      "emulator.projects.verificationCodes.list", .open, .operation(ListVerificationCodes.self)),
  ]
}
