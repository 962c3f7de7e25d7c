import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
import HearthTime
import Logging

/// The project that an import goes to.
struct ImportTarget: Sendable {
  let store: Store
  let server: ServerFacts
  let projectId: String

  func transaction<Value>(
    _ tenantId: String? = nil,
    body: (ProjectTransaction, Context) throws(APIError) -> Value
  ) throws(APIError) -> Value {
    let (value, changes) = try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: projectId, tenantId: tenantId, server: server)
      let context = Context(
        now: server.clocks.now(of: projectId), caller: .admin, baseURL: "http://127.0.0.1:9099",
        logger: Logger(label: "hearth.import"))
      return (try body(project, context), project.outbox.changes)
    }
    server.changes.publish(changes)
    return value
  }
}

/// A user of a project, or of one of its tenants.
struct AccountName: Sendable, Hashable {
  let tenantId: String?
  let localId: String
}
