import HearthOperations

extension Routes {
  /// Tenants and who may manage them.
  static let tenants: [Route] = {
    let tenants = project.below("/tenants", id: ".tenants").with(\.strictTenants)
    let tenant = tenants.below("/{tenantId}", id: "")
    let iam = tenant.with(messages: "GoogleIamV1")
    return [
      tenants.post(
        "", operation: CreateTenant.self, takes: "Tenant", id: ".create",
        differs: "password policies have an effect", "`emailPrivacyConfig` is kept"),
      tenants.get(
        "", operation: ListTenants.self, id: ".list", query: [.integer("pageSize"), "pageToken"]),
      tenant.delete("", operation: DeleteTenant.self, id: ".delete"),
      tenant.get("", operation: GetTenant.self, id: ".get"),
      tenant.patch(
        "", operation: UpdateTenant.self, takes: "Tenant", id: ".patch", query: ["updateMask"],
        differs: "password policies, and test numbers where a mask names them"),
      iam.post(
        ":getIamPolicy", operation: GetTenantIamPolicy.self, takes: "GetIamPolicyRequest",
        differs: notBuiltThere),
      iam.post(
        ":setIamPolicy", operation: SetTenantIamPolicy.self, takes: "SetIamPolicyRequest",
        differs: notBuiltThere),
      iam.post(
        ":testIamPermissions", operation: TestTenantIamPermissions.self,
        takes: "TestIamPermissionsRequest", differs: notBuiltThere),
    ]
  }()
}
