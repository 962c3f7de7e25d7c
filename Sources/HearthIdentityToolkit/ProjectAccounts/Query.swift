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

    init(_ wire: WireRequest) throws(APIError) {
      search = try AccountSearch(wire)
      order = AccountOrder.Request(wire)
      returnUserInfo = wire.bool("returnUserInfo")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let answers = try project.answers
    let search =
      switch answers {
      case .emulator: request.search
      case .production: request.search.first
      }
    // Observed: order, limit and offset are not even looked at then.
    if request.returnUserInfo == false {
      return .json(["recordsCount": .string(String(try Accounts(in: project).count(search)))])
    }
    let order = try AccountOrder(request.order, as: answers)
    var shown: [JSON] = []
    for user in try Accounts(in: project).users(search, order: order) {
      shown.append(try project.wire(user, for: context.caller))
    }
    return .json([
      "recordsCount": .string(String(shown.count)),
      "userInfo": try project.list(shown),
    ])
  }
}
