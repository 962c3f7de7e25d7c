import HearthErrors
import HearthIdentityToolkit
import HearthOperations

/// Drops all accounts of the project or of one tenant, for the next test.
enum DeleteAccounts: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try Accounts(in: project).deleteAllUsers()
    return .json([:])
  }
}
