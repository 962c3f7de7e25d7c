import HearthErrors
import HearthOperations
import HearthWire

/// Downloads accounts by id, page by page.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchGet
enum BatchGet: Operation {
  struct Request: OperationRequest {
    let tenantId: String?
    let page: Page
    /// Whether no account is asked for; the official emulator takes zero for the usual number.
    let asksForNothing: Bool

    init(_ wire: WireRequest) {
      self.init(
        tenantId: wire.query["tenantId"], maxResults: wire.query["maxResults"],
        nextPageToken: wire.query["nextPageToken"])
    }

    init(tenantId: String?, maxResults: String?, nextPageToken: String?) {
      self.tenantId = tenantId.nonEmpty
      asksForNothing = maxResults == "0"
      page = Page(size: maxResults, token: nextPageToken, largest: 1000)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    // Observed: a tenant that the query names is exported even when it is disabled.
    try project.requireAuthEnabled()
    let source = request.tenantId.map(project.inTenant) ?? project
    let page = request.page
    let kind: JSON = "identitytoolkit#DownloadAccountResponse"
    if request.asksForNothing {
      switch try project.answers {
      case .emulator: break
      case .production: return .json(["kind": kind])
      }
    }
    let users = try Accounts(in: source).users(after: page.after, limit: page.limit)
    var shown: [JSON] = []
    for user in users {
      shown.append(try project.wire(user, for: context.caller, exportsHash: true))
    }
    return .json([
      "kind": kind,
      "users": try project.list(shown),
      "nextPageToken": page.next(after: users.last?.localId, count: users.count).json,
    ])
  }
}
