import HearthOperations

extension Routes {
  /// Tenants and who may manage them.
  static let tenants: [Route] = {
    let tenants = project.below("/tenants", id: ".tenants").with(\.strictTenants)
    let tenant = tenants.below("/{tenantId}", id: "")
    let iam = tenant.with(messages: "GoogleIamV1")
    return [
      tenants.post(
        "", CreateTenant.self, takes: "Tenant", id: ".create",
        differs: "password policies have an effect", "`emailPrivacyConfig` is kept"),
      tenants.get(
        "", ListTenants.self, id: ".list", query: [.integer("pageSize"), "pageToken"]),
      tenant.delete("", DeleteTenant.self, id: ".delete"),
      tenant.get("", GetTenant.self, id: ".get"),
      tenant.patch(
        "", UpdateTenant.self, takes: "Tenant", id: ".patch", query: ["updateMask"],
        differs: "password policies, and test numbers where a mask names them"),
      iam.post(
        ":getIamPolicy", GetTenantIamPolicy.self, takes: "GetIamPolicyRequest",
        differs: notBuiltThere),
      iam.post(
        ":setIamPolicy", SetTenantIamPolicy.self, takes: "SetIamPolicyRequest",
        differs: notBuiltThere),
      iam.post(
        ":testIamPermissions", TestTenantIamPermissions.self, takes: "TestIamPermissionsRequest",
        differs: notBuiltThere),
    ]
  }()
}
