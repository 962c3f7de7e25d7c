import HearthOperations

extension Routes {
  /// What administrators call on the accounts of a project or a tenant.
  static let projectAccounts: [Route] = [
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/accounts",
      "identitytoolkit.projects.accounts",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SignUpRequest"), .operation(SignUp.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}:createSessionCookie",
      "identitytoolkit.projects.createSessionCookie",
      body: .json(message: "GoogleCloudIdentitytoolkitV1CreateSessionCookieRequest"),
      .operation(CreateSessionCookie.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}:queryAccounts",
      "identitytoolkit.projects.queryAccounts",
      body: .json(message: "GoogleCloudIdentitytoolkitV1QueryUserInfoRequest"),
      .operation(Query.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/accounts:batchCreate",
      "identitytoolkit.projects.accounts.batchCreate",
      body: .json(message: "GoogleCloudIdentitytoolkitV1UploadAccountRequest"),
      .operation(BatchCreate.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/accounts:batchDelete",
      "identitytoolkit.projects.accounts.batchDelete",
      body: .json(message: "GoogleCloudIdentitytoolkitV1BatchDeleteAccountsRequest"),
      .operation(BatchDelete.self)
    ),
    Route(
      "GET", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/accounts:batchGet",
      "identitytoolkit.projects.accounts.batchGet",
      query: [
        Route.QueryParameter("delegatedProjectNumber"),
        Route.QueryParameter("maxResults", .integer), Route.QueryParameter("nextPageToken"),
        Route.QueryParameter("tenantId"),
      ], .operation(BatchGet.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/accounts:delete",
      "identitytoolkit.projects.accounts.delete",
      body: .json(message: "GoogleCloudIdentitytoolkitV1DeleteAccountRequest"),
      .operation(Delete.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/accounts:lookup",
      "identitytoolkit.projects.accounts.lookup",
      body: .json(message: "GoogleCloudIdentitytoolkitV1GetAccountInfoRequest"),
      .operation(Lookup.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/accounts:query",
      "identitytoolkit.projects.accounts.query",
      body: .json(message: "GoogleCloudIdentitytoolkitV1QueryUserInfoRequest"),
      .operation(Query.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/accounts:sendOobCode",
      "identitytoolkit.projects.accounts.sendOobCode",
      body: .json(message: "GoogleCloudIdentitytoolkitV1GetOobCodeRequest"),
      .operation(SendOobCode.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/accounts:update",
      "identitytoolkit.projects.accounts.update",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SetAccountInfoRequest"),
      .operation(Update.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts",
      "identitytoolkit.projects.tenants.accounts",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SignUpRequest"), .operation(SignUp.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}:createSessionCookie",
      "identitytoolkit.projects.tenants.createSessionCookie",
      body: .json(message: "GoogleCloudIdentitytoolkitV1CreateSessionCookieRequest"),
      .operation(CreateSessionCookie.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts:batchCreate",
      "identitytoolkit.projects.tenants.accounts.batchCreate",
      body: .json(message: "GoogleCloudIdentitytoolkitV1UploadAccountRequest"),
      .operation(BatchCreate.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts:batchDelete",
      "identitytoolkit.projects.tenants.accounts.batchDelete",
      body: .json(message: "GoogleCloudIdentitytoolkitV1BatchDeleteAccountsRequest"),
      .operation(BatchDelete.self)
    ),
    Route(
      "GET",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts:batchGet",
      "identitytoolkit.projects.tenants.accounts.batchGet",
      query: [
        Route.QueryParameter("delegatedProjectNumber"),
        Route.QueryParameter("maxResults", .integer), Route.QueryParameter("nextPageToken"),
      ], .operation(BatchGet.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts:delete",
      "identitytoolkit.projects.tenants.accounts.delete",
      body: .json(message: "GoogleCloudIdentitytoolkitV1DeleteAccountRequest"),
      .operation(Delete.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts:lookup",
      "identitytoolkit.projects.tenants.accounts.lookup",
      body: .json(message: "GoogleCloudIdentitytoolkitV1GetAccountInfoRequest"),
      .operation(Lookup.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts:query",
      "identitytoolkit.projects.tenants.accounts.query",
      body: .json(message: "GoogleCloudIdentitytoolkitV1QueryUserInfoRequest"),
      .operation(Query.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts:sendOobCode",
      "identitytoolkit.projects.tenants.accounts.sendOobCode",
      body: .json(message: "GoogleCloudIdentitytoolkitV1GetOobCodeRequest"),
      .operation(SendOobCode.self)),
    Route(
      "POST",
      "/identitytoolkit.googleapis.com/v1/projects/{targetProjectId}/tenants/{tenantId}/accounts:update",
      "identitytoolkit.projects.tenants.accounts.update",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SetAccountInfoRequest"),
      .operation(Update.self)),
  ]
}
