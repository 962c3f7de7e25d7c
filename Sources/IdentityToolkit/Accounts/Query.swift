import HearthCore
import HearthStore

/// Counts or lists accounts for an administrator.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/query
enum Query: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if !(request.array("expression") ?? []).isEmpty {
      throw .unimplemented("expression is not implemented.")
    }
    if request.bool("returnUserInfo") == false {
      return .json(["recordsCount": .string(String(try project.userCount()))])
    }
    if request.string("limit").isGiven { throw .unimplemented("limit is not implemented.") }
    if let offset = request.string("offset").nonEmpty, offset != "0" {
      throw .unimplemented("offset is not implemented.")
    }
    let sortBy = request.string("sortBy") ?? "SORT_BY_FIELD_UNSPECIFIED"
    guard ["SORT_BY_FIELD_UNSPECIFIED", "USER_ID"].contains(sortBy) else {
      throw .unimplemented("Only sorting by USER_ID is implemented.")
    }
    let users = try project.allUsers(descending: request.string("order") == "DESC")
    return .json([
      "recordsCount": .string(String(users.count)),
      "userInfo": .array(users.map { $0.wire(for: context.caller) }),
    ])
  }
}
