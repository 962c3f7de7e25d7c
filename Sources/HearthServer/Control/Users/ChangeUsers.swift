import HearthDirectory
import HearthErrors
import HearthEvents
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTransport
import HearthWire
import Logging

/// Disables, enables or deletes many accounts, or ends their sessions: those with the given ids, or
/// those that match a filter.
enum ChangeUsers: ServerOperation {
  private static let mostIds = 10_000

  static func run(
    _ request: ServerRequest, with control: AccountControl
  ) async throws -> OutgoingReply {
    try request.checkMembers("action", "tenantId", "localIds", "filter", "all")
    guard let action = request.wire.string("action").flatMap(AccountBulkAction.init) else {
      let known = AccountBulkAction.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(.invalidArgument, detail: "/action must be one of \(known)")
    }
    let project = request.project
    let (server, events) = (control.server, control.events)
    let bulk = AccountBulk(
      control.store, server: server, action: action,
      context: request.operationContext(at: control.hosts, server)
    ) {
      server.changes.publish($0.changes)
      events.users($0.userEvents, project: project)
    }
    let tenant = request.wire.string("tenantId")
    let changed: Int
    if let localIds = try ids(request) {
      changed = try await WorkPool.shared.run { () async throws(APIError) in
        try await bulk.run(localIds: localIds, in: project, tenant: tenant.nonEmpty)
      }
    } else {
      let filter = try filter(request)
      let accounts = control.directory
      let rows = try await accounts.work.run { () throws(APIError) in
        try accounts.rows(filter, in: project, tenant: tenant == "*" ? nil : tenant ?? "")
      }
      changed = try await WorkPool.shared.run { () async throws(APIError) in
        try await bulk.run(rows: rows, in: project)
      }
    }
    return ReplyWriter.json(.members(["changed": .string(String(changed))]))
  }

  private static func ids(_ request: ServerRequest) throws(APIError) -> [String]? {
    guard let given = request.wire.body["localIds"] else { return nil }
    guard let ids = given.array?.compactMap(\.string), ids.count == given.array?.count else {
      throw APIError(.invalidArgument, detail: "/localIds must be an array of strings")
    }
    guard ids.count <= mostIds else {
      throw APIError(
        .invalidArgument, detail: "/localIds must have at most \(mostIds) ids; use a filter")
    }
    return ids
  }

  /// An empty filter matches everybody, so it needs `all`: it may have been left out by mistake.
  private static func filter(_ request: ServerRequest) throws(APIError) -> AccountFilter {
    let filter = try AccountFilter(request.wire.object("filter") ?? JSONObject())
    let isForAll = try request.flag("all")
    guard !filter.isEmpty || isForAll else {
      throw APIError(
        .invalidArgument, detail: "give /localIds, a /filter with conditions, or \"all\": true")
    }
    return filter
  }
}

/// What endpoints of the list of users work with.
struct AccountControl: ServerParts {
  let store: Store
  let server: ServerFacts
  let directory: AccountDirectory
  let events: EventDispatch
  let hosts: Hosts

  static func parts(of server: ServerContext) -> AccountControl {
    AccountControl(
      store: server.store, server: server.server, directory: server.projects.directory,
      events: server.observation.events, hosts: server.network.hosts)
  }
}

extension ServerRequest {
  /// The context of an operation that such an endpoint runs as an administrator.
  func operationContext(at hosts: Hosts, _ server: ServerFacts, locale: String? = nil) -> Context {
    Context(
      now: server.clocks.now(of: project), caller: .admin, baseURL: hosts.baseURL(call),
      locale: locale, remoteAddress: call.remoteAddress, logger: Logger(label: "hearth"))
  }
}
