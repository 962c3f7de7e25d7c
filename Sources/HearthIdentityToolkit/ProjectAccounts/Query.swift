import HearthErrors
import HearthOperations
import HearthWire

/// Counts, finds and lists accounts for an administrator.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/query
enum Query: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let search = AccountSearch(request)
    // Observed: order, limit and offset are not even looked at then.
    if request.bool("returnUserInfo") == false {
      return .json(["recordsCount": .string(String(try project.count(search)))])
    }
    let users = try project.users(search, try AccountOrder(request))
    return .json([
      "recordsCount": .string(String(users.count)),
      "userInfo": .array(users.map { $0.wire(for: context.caller) }),
    ])
  }
}
