import HearthErrors
import HearthOperations
import HearthWire

/// Counts, finds and lists accounts for an administrator.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/query
enum Query: Operation {
  struct Request: OperationRequest {
    let search: AccountSearch
    let order: AccountOrder.Request
    let returnUserInfo: Bool?

    init(_ wire: WireRequest) {
      search = AccountSearch(wire)
      order = AccountOrder.Request(wire)
      returnUserInfo = wire.bool("returnUserInfo")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    // Observed: order, limit and offset are not even looked at then.
    if request.returnUserInfo == false {
      return .json(["recordsCount": .string(String(try project.count(request.search)))])
    }
    let users = try project.users(request.search, try AccountOrder(request.order))
    return .json([
      "recordsCount": .string(String(users.count)),
      "userInfo": .array(users.map { $0.wire(for: context.caller) }),
    ])
  }
}
