import HearthOperations

extension Routes {
  /// What only an emulator has, as the official one exposes it.
  static let emulator: [Route] = {
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
}
