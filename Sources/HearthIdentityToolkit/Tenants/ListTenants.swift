import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// Lists the tenants of a project by id.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.tenants/list
enum ListTenants: Operation {
  struct Request: OperationRequest {
    let page: Page

    init(_ wire: WireRequest) {
      page = Page(size: wire.query["pageSize"], token: wire.query["pageToken"], largest: 1000)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let page = request.page
    let tenants = try project.transaction.all(
      """
      SELECT tenant, record FROM tenants WHERE project = ? AND tenant > ?
      ORDER BY tenant LIMIT ?
      """,
      [project.projectId, page.after, page.limit]
    ) { (id: $0[0] as String, record: try JSON.parse($0[1] as String)) }
    return .json([
      "tenants": .array(tenants.map(\.record)),
      "nextPageToken": page.next(after: tenants.last?.id, count: tenants.count).json,
    ])
  }
}

/// One page of a list that is sorted by id; the token is the last id of the page before.
struct Page: Sendable {
  let after: String
  /// Rows to fetch; negative for all.
  let limit: Int

  private static let usual = 20

  init(size: String?, token: String?, largest: Int) {
    after = token ?? ""
    let asked = size.flatMap { Int($0) } ?? 0
    limit = asked < 0 ? -1 : min(asked == 0 ? Self.usual : asked, largest)
  }

  /// Observed: a page that is exactly full has a token even where nothing follows.
  func next(after last: String?, count: Int) -> String? { count == limit ? last : nil }
}

extension ProjectTransaction {
  /// All tenants of the project, by id.
  func allTenants() throws(APIError) -> [TenantSettings] {
    try transaction.all(
      "SELECT tenant, record FROM tenants WHERE project = ? ORDER BY tenant", [projectId]
    ) {
      TenantSettings(
        tenantId: $0[0], record: try JSON.parse($0[1] as String).object ?? JSONObject())
    }
  }
}
