package import HearthErrors
package import HearthOperations
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
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    switch try project.answers {
    case .emulator: try listAll(request, in: project)
    case .production: try listKnown(request, in: project)
    }
  }

  private static func listAll(
    _ request: Request, in project: ProjectTransaction
  ) throws(APIError) -> Outcome {
    let page = request.page
    let tenants = try project.transaction.all(
      """
      SELECT tenant, record FROM tenants WHERE project = ? AND tenant > ?
      ORDER BY tenant LIMIT ?
      """,
      arguments: [project.projectId, page.after, page.limit]
    ) { (id: $0[0] as String, record: try JSON.parse($0[1] as String)) }
    return .json([
      "tenants": .array(tenants.map(\.record)),
      "nextPageToken": page.next(after: tenants.last?.id, count: tenants.count).json,
    ])
  }
}

extension ListTenants {
  /// Production's token names the last tenant of a page, and there is none where nothing follows.
  private static func listKnown(
    _ request: Request, in project: ProjectTransaction
  ) throws(APIError) -> Outcome {
    let page = request.page
    var after = ""
    if !page.after.isEmpty {
      guard let bytes = Base64.decode(page.after),
        let id = String(validating: bytes, as: UTF8.self), !id.isEmpty
      else { return .json([:]) }
      after = id
    }
    let limit = page.limit < 0 ? Page.usual : page.limit
    var tenants = try Tenants(in: project).all().filter { $0.tenantId > after }
    let isLast = tenants.count <= limit
    tenants = Array(tenants.prefix(limit))
    return .json([
      "tenants": tenants.isEmpty
        ? nil : .array(tenants.map { .object(TenantRecord.shown($0, withHash: false)) }),
      "nextPageToken": isLast
        ? nil : tenants.last.map { .string(Base64.encodeURL(Array($0.tenantId.utf8))) },
    ])
  }
}

/// One page of a list that is sorted by id; the token is the last id of the page before.
struct Page: Sendable {
  let after: String
  /// Rows to fetch; negative for all.
  let limit: Int

  static let usual = 20

  init(size: String?, token: String?, largest: Int) {
    after = token ?? ""
    let asked = size.flatMap { Int($0) } ?? 0
    limit = asked < 0 ? -1 : min(asked == 0 ? Self.usual : asked, largest)
  }

  /// Observed: a page that is exactly full has a token even where nothing follows.
  func next(after last: String?, count: Int) -> String? { count == limit ? last : nil }
}

extension Tenants {
  /// All tenants of the project, by id.
  package func all() throws(APIError) -> [TenantSettings] {
    try transaction.all(
      "SELECT tenant, record FROM tenants WHERE project = ? ORDER BY tenant", arguments: [projectId]
    ) {
      TenantSettings(
        tenantId: $0[0], record: try JSON.parse($0[1] as String).object ?? JSONObject())
    }
  }
}
