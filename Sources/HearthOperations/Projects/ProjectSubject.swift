package import HearthErrors
package import HearthSQLite
package import HearthWire

/// One subject of a project, such as its accounts or its mailbox: what an operation can do with it in
/// its transaction.
package protocol ProjectSubject {
  var project: ProjectTransaction { get }

  init(in project: ProjectTransaction)
}

extension ProjectSubject {
  package var transaction: Transaction { project.transaction }
  package var projectId: String { project.projectId }
  package var tenantId: String? { project.tenantId }
  package var tenantKey: String { project.tenantKey }
  package var server: ServerFacts { project.server }

  package var answers: Switches.Program {
    get throws(APIError) { try project.answers }
  }

  package func settings() throws(APIError) -> ProjectSettings { try project.settings() }
  package func switches() throws(APIError) -> Switches { try project.switches() }
  package func tenant() throws(APIError) -> TenantSettings? { try project.tenant() }

  package func publish(_ name: String, members: @autoclosure () -> JSON) {
    project.publish(name, members: members())
  }
}
