package import HearthErrors
import HearthIdentityToolkit
package import HearthMailbox
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthSharing
package import HearthTime

/// Text messages that apps send by gateways.
extension MailIntake {
  /// Stores a text in the project that a part of the credentials names, else in that of the only
  /// account with the number, else in the default one.
  package func receive(
    for names: [String], to number: String, _ message: (Timestamp) -> AppMessage
  ) throws(APIError) -> (project: String, id: Int64) {
    let (name, id, changes) = try store.transaction { transaction throws(APIError) in
      let name = try project(of: names, number: number, in: transaction)
      try sharing?.check(name)
      let project = ProjectTransaction(
        transaction, projectId: name, tenantId: nil, server: server)
      let now = server.clocks.now(of: project.projectId)
      let id = try Mailbox(in: project).receive(message(now), at: now)
      return (project.projectId, id, project.outbox.changes)
    }
    server.changes.publish(changes)
    requests?.noteActivity(of: name, machineTime: server.clock.now)
    return (name, id)
  }

  /// The project that a text to the number goes to.
  func project(of names: [String], number: String) throws(APIError) -> String {
    try store.transaction { transaction throws(APIError) in
      try project(of: names, number: number, in: transaction)
    }
  }

  /// The project that a part of the credentials is the id of. Nil where the store cannot be read, which
  /// the next step reports.
  func namedProject(_ names: [String]) -> String? {
    try? store.transaction { transaction throws(APIError) in try named(names, in: transaction) }
  }

  private func named(_ names: [String], in transaction: Transaction) throws(APIError) -> String? {
    for name in names where ProjectID.isUsable(name) {
      if try isProject(name, in: transaction) { return name }
    }
    return nil
  }

  private func project(
    of names: [String], number: String, in transaction: Transaction
  ) throws(APIError) -> String {
    if let name = try named(names, in: transaction) { return name }
    // On a shared server anybody could sign up with the number.
    guard sharing == nil else { return server.defaultProject }
    let owners = try AccountsSchema.projectIds(ofPhone: number, in: transaction)
    return owners.count == 1 ? owners[0] : server.defaultProject
  }

  /// Notes that the code of a text was used.
  package func settle(_ message: Int64, in project: String) throws(APIError) {
    let changes = try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: project, tenantId: nil, server: server)
      try Mailbox(in: project).settleMessage(
        message, isUsed: true, at: server.clocks.now(of: project.projectId))
      return project.outbox.changes
    }
    server.changes.publish(changes)
  }

  func faultedProject(users: [String]) -> String {
    for user in users {
      let project = faultedProject(user: user)
      if project != server.defaultProject { return project }
    }
    return server.defaultProject
  }
}
