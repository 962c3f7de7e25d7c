import HearthErrors
import HearthOperations
import HearthWire

/// Downloads accounts by id, page by page.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchGet
enum BatchGet: Operation {
  struct Request: OperationRequest {
    let tenantId: String?
    let page: Page

    init(_ wire: WireRequest) {
      self.init(
        tenantId: wire.query["tenantId"], maxResults: wire.query["maxResults"],
        nextPageToken: wire.query["nextPageToken"])
    }

    init(tenantId: String?, maxResults: String?, nextPageToken: String?) {
      self.tenantId = tenantId.nonEmpty
      page = Page(size: maxResults, token: nextPageToken, largest: 1000)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    // Observed: a tenant that the query names is exported even when it is disabled.
    try project.requireAuthEnabled()
    let source = request.tenantId.map(project.inTenant) ?? project
    let page = request.page
    let users = try source.users(after: page.after, limit: page.limit)
    return .json([
      "kind": "identitytoolkit#DownloadAccountResponse",
      "users": .array(users.map { $0.wire(for: context.caller) }),
      "nextPageToken": page.next(after: users.last?.localId, count: users.count).json,
    ])
  }
}
