import HearthErrors
import HearthOperations
import HearthWire

/// Downloads accounts by id, page by page.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchGet
enum BatchGet: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    // Observed: a tenant that the query names is exported even when it is disabled.
    try project.requireAuthEnabled()
    let source = request.query["tenantId"].nonEmpty.map(project.inTenant) ?? project
    let page = Page(
      size: request.query["maxResults"], token: request.query["nextPageToken"], largest: 1000)
    let users = try source.users(after: page.after, limit: page.limit)
    return .json([
      "kind": "identitytoolkit#DownloadAccountResponse",
      "users": .array(users.map { $0.wire(for: context.caller) }),
      "nextPageToken": page.next(after: users.last?.localId, count: users.count).json,
    ])
  }
}
