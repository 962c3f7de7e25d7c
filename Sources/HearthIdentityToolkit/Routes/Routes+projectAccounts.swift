import HearthOperations

extension Routes {
  /// What administrators call on the accounts of a project or a tenant.
  static let projectAccounts: [Route] = {
    let (project, tenant) = (
      accountsProject, accountsProject.below("/tenants/{tenantId}", id: ".tenants")
    )
    let queryAccounts = project.post(
      ":queryAccounts", operation: Query.self, takes: "QueryUserInfoRequest",
      differs: plainPasswords, search)
    return signUp(in: project) + [queryAccounts] + accounts(of: project, query: ["tenantId"])
      + signUp(in: tenant) + accounts(of: tenant, query: [])
  }()

  private static let search = "expression, limit, offset, sorting"

  private static func signUp(in owner: RouteRows) -> [Route] {
    [
      owner.post("/accounts", operation: SignUp.self, takes: "SignUpRequest"),
      owner.post(
        ":createSessionCookie", operation: CreateSessionCookie.self,
        takes: "CreateSessionCookieRequest", differs: "signed cookies",
        switches: [\.acceptUnsignedTokens, \.tokenExpiry, \.strictTenants]),
    ]
  }

  private static func accounts(
    of owner: RouteRows, query: [Route.QueryParameter]
  ) -> [Route] {
    let owner = owner.with(\.strictTenants)
    return [
      owner.post(
        "/accounts:batchCreate", operation: BatchCreate.self, takes: "UploadAccountRequest",
        bodyBound: .accounts, differs: "foreign hashes are kept, of bounded cost",
        "a user is written whole or not at all", "addresses are compared in lower case",
        "letters in a phone number are refused", "so is an unknown `hashAlgorithm`"),
      owner.post(
        "/accounts:batchDelete", operation: BatchDelete.self, takes: "BatchDeleteAccountsRequest"),
      owner.get(
        "/accounts:batchGet", operation: BatchGet.self,
        query: ["delegatedProjectNumber", .integer("maxResults"), "nextPageToken"] + query,
        differs: plainPasswords),
      owner.post("/accounts:delete", operation: Delete.self, takes: "DeleteAccountRequest"),
      owner.post("/accounts:lookup", operation: Lookup.self, takes: "GetAccountInfoRequest"),
      owner.post(
        "/accounts:query", operation: Query.self, takes: "QueryUserInfoRequest",
        differs: plainPasswords, search),
      owner.post("/accounts:sendOobCode", operation: SendOobCode.self, takes: "GetOobCodeRequest"),
      owner.post("/accounts:update", operation: Update.self, takes: "SetAccountInfoRequest"),
    ]
  }
}
