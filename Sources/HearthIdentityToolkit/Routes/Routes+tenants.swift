import HearthOperations

extension Routes {
  /// Tenants and who may manage them.
  static let tenants: [Route] = [
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants",
      "identitytoolkit.projects.tenants.create",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2Tenant"), .operation(CreateTenant.self)
    ),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants",
      "identitytoolkit.projects.tenants.list",
      query: [Route.QueryParameter("pageSize", .integer), Route.QueryParameter("pageToken")],
      .operation(ListTenants.self)),
    Route(
      "DELETE", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}",
      "identitytoolkit.projects.tenants.delete", .operation(DeleteTenant.self)),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}",
      "identitytoolkit.projects.tenants.get", .operation(GetTenant.self)),
    Route(
      "PATCH", "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}",
      "identitytoolkit.projects.tenants.patch",
      body: .json(message: "GoogleCloudIdentitytoolkitAdminV2Tenant"),
      query: [Route.QueryParameter("updateMask")], .operation(UpdateTenant.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}:getIamPolicy",
      "identitytoolkit.projects.tenants.getIamPolicy",
      body: .json(message: "GoogleIamV1GetIamPolicyRequest"),
      .operation(GetTenantIamPolicy.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}:setIamPolicy",
      "identitytoolkit.projects.tenants.setIamPolicy",
      body: .json(message: "GoogleIamV1SetIamPolicyRequest"),
      .operation(SetTenantIamPolicy.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v2/projects/{targetProjectId}/tenants/{tenantId}:testIamPermissions",
      "identitytoolkit.projects.tenants.testIamPermissions",
      body: .json(message: "GoogleIamV1TestIamPermissionsRequest"),
      .operation(TestTenantIamPermissions.self)),
  ]
}
