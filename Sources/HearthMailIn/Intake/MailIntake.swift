package import HearthErrors
import HearthIdentityToolkit
package import HearthMailbox
import HearthMime
package import HearthObservation
package import HearthOperations
package import HearthSQLite
package import HearthSharing
import HearthTime
import HearthTriggerEmail

/// Takes the mails that apps send by themselves: over SMTP, a provider's API, or as documents.
package struct MailIntake: MailStore {
  package let store: Store
  package let server: ServerFacts
  package let faults: MailFaults
  /// Where mail counts as activity of its project.
  let requests: RequestLog?
  /// All projects that anything is kept of.
  let projectIds: @Sendable (Transaction) throws(APIError) -> [String]
  /// Nil unless the server is shared. Mail is for open projects then.
  package let sharing: SharedProjects?

  package init(
    store: Store, server: ServerFacts, faults: MailFaults, requests: RequestLog? = nil,
    projectIds: @escaping @Sendable (Transaction) throws(APIError) -> [String],
    sharing: SharedProjects? = nil
  ) {
    self.store = store
    self.server = server
    self.faults = faults
    self.requests = requests
    self.projectIds = projectIds
    self.sharing = sharing
  }

  /// Reads a mail, finds out whose it is, and stores it. When this returns, the mail is kept.
  /// The user name of SMTP, or the key of the API, may name the project. Where too much waits already,
  /// it is `UNAVAILABLE`.
  package func receive(
    _ mail: ReceivedMail, user: String?
  ) async throws(APIError) -> (project: String, id: Int64) {
    try await server.mail.run { () throws(APIError) in
      let prepared = PreparedMail(mail, rules: [])
      let destination = MailDestination(user: user, prepared)
      return try keep(prepared) { transaction throws(APIError) in
        try project(of: destination, in: transaction)
      }
    }
  }

  /// The same for a mail whose project is known.
  package func receive(_ mail: ReceivedMail, in project: String) async throws(APIError) -> Int64 {
    try await server.mail.run { () throws(APIError) in
      try keep(PreparedMail(mail, rules: [])) { _ in project }.id
    }
  }

  package func replies(to recipients: [String], in project: String) async -> RecipientReplies {
    await faults.replies(to: recipients, in: project)
  }

  /// The project whose faults act on a mail that has not been read: the one that the user name, or the
  /// key of the API, is the id of; else that of a header; else the default project.
  func faultedProject(user: String?, header: String? = nil) -> String {
    guard !faults.areNone else { return server.defaultProject }
    if let user, ProjectID.isUsable(user), (try? isProject(user)) == true { return user }
    if let header, ProjectID.isUsable(header) { return header }
    return server.defaultProject
  }

  private func isProject(_ id: String) throws(APIError) -> Bool {
    try store.transaction { transaction throws(APIError) in try isProject(id, in: transaction) }
  }

  package func isProject(_ id: String, in transaction: Transaction) throws(APIError) -> Bool {
    if id.hasPrefix("demo-") || id == server.defaultProject { return true }
    return try projectIds(transaction).contains(id)
  }

  /// Stores the mail, in one transaction where its project has no rules. To read it with rules takes
  /// a while: that is done outside of a transaction, and another one sees whether they are the same.
  private func keep(
    _ mail: PreparedMail, in named: (Transaction) throws(APIError) -> String
  ) throws(APIError) -> (project: String, id: Int64) {
    var prepared = mail
    var rules: [MailRule] = []
    while true {
      let (name, asked, id, changes) = try store.transaction { transaction throws(APIError) in
        let name = try named(transaction)
        try sharing?.check(name)
        let project = ProjectTransaction(
          transaction, projectId: name, tenantId: nil, server: server)
        let asked = try Mailbox(in: project).mailRules()
        let id =
          asked == rules
          ? try Mailbox(in: project).receive(prepared, at: server.clocks.now(of: project.projectId))
          : nil
        return (project.projectId, asked, id, project.outbox.changes)
      }
      if let id {
        server.changes.publish(changes)
        requests?.noteActivity(of: name, machineTime: server.clock.now)
        return (name, id)
      }
      prepared = mail.reading(with: asked)
      rules = asked
    }
  }

  private func project(
    of destination: MailDestination, in transaction: Transaction
  ) throws(APIError) -> String {
    try destination.project(
      or: server.defaultProject,
      isProject: { (id) throws(APIError) in try isProject(id, in: transaction) },
      isUsable: ProjectID.isUsable,
      owners: { (address) throws(APIError) in
        // On a shared server anybody could sign up with the address of another project's mails.
        guard sharing == nil else { return [] }
        return try AccountsSchema.projectIds(ofAccount: address, in: transaction)
      })
  }
}
