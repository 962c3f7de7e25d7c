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
  struct Request: ServerOperationRequest {
    enum Target {
      case localIds([String])
      case filter(AccountFilter)
    }

    private static let mostIds = 10_000

    let action: AccountBulkAction
    /// Nil for accounts outside of tenants; with a filter, `*` for all.
    let tenant: String?
    let target: Target
    let caller: ServerRequest

    init(_ request: ServerRequest) throws(APIError) {
      try request.checkMembers("action", "tenantId", "localIds", "filter", "all")
      guard let action = request.wire.string("action").flatMap(AccountBulkAction.init) else {
        let known = AccountBulkAction.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError(.invalidArgument, detail: "/action must be one of \(known)")
      }
      self.action = action
      tenant = request.wire.string("tenantId")
      if let ids = try Self.ids(request) {
        target = .localIds(ids)
      } else {
        target = .filter(try Self.filter(request))
      }
      caller = request
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

  static func run(
    _ request: Request, with control: AccountControl
  ) async throws -> OutgoingReply {
    let (project, tenant) = (request.caller.project, request.tenant)
    let (server, events) = (control.server, control.events)
    let bulk = AccountBulk(
      control.store, server: server, action: request.action,
      context: request.caller.operationContext(at: control.hosts, server)
    ) {
      server.changes.publish($0.changes)
      events.users($0.userEvents, project: project)
    }
    let changed: Int
    switch request.target {
    case .localIds(let localIds):
      changed = try await WorkPool.shared.run { () async throws(APIError) in
        try await bulk.run(localIds: localIds, in: project, tenant: tenant.nonEmpty)
      }
    case .filter(let filter):
      let directory = control.directory
      let rows = try await directory.work.run { () throws(APIError) in
        try directory.rows(filter, in: project, tenant: tenant == "*" ? nil : tenant ?? "")
      }
      changed = try await WorkPool.shared.run { () async throws(APIError) in
        try await bulk.run(rows: rows, in: project)
      }
    }
    return ReplyWriter.json(.members(["changed": .string(String(changed))]))
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
