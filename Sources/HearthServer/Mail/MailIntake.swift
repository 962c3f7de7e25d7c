import HearthErrors
import HearthIdentityToolkit
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTriggerEmail

/// Takes the mails that apps send by themselves: over SMTP, a provider's API, or as documents.
struct MailIntake: MailStore {
  let store: Store
  let server: ServerFacts
  let faults: MailFaults
  /// Where mail counts as activity of its project.
  var requests: RequestLog?

  /// Reads a mail, finds out whose it is, and stores it. When this returns, the mail is kept.
  /// The user name of SMTP, or the key of the API, may name the project. Where too much waits already,
  /// it is `UNAVAILABLE`.
  func receive(
    _ mail: ReceivedMail, user: String?
  ) async throws(APIError) -> (project: String, id: Int64) {
    try await server.mail.run { () throws(APIError) in
      // Rules are those of a project, and the project may be named in the mail.
      let first = PreparedMail(mail, rules: [])
      let project = try project(of: first, user: user)
      return (project, try keep(first, in: project))
    }
  }

  /// The same for a mail whose project is known.
  func receive(_ mail: ReceivedMail, in project: String) async throws(APIError) -> Int64 {
    try await server.mail.run { () throws(APIError) in
      try keep(PreparedMail(mail, rules: []), in: project)
    }
  }

  func replies(to recipients: [String], in project: String) async -> RecipientReplies {
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

  private func isProject(_ id: String, in transaction: Transaction) throws(APIError) -> Bool {
    if id.hasPrefix("demo-") || id == server.defaultProject { return true }
    return try Schema.projectIds(in: transaction).contains(id)
  }

  private func keep(_ first: PreparedMail, in project: String) throws(APIError) -> Int64 {
    let rules = try transact(project) { (project) throws(APIError) in try project.mailRules() }
    let prepared = rules.isEmpty ? first : first.reading(with: rules)
    let id = try transact(project) { (project) throws(APIError) in
      try project.receive(prepared, at: server.clocks.now(of: project.projectId))
    }
    requests?.noteActivity(of: project, machineTime: server.clock.now)
    return id
  }

  private func project(of mail: PreparedMail, user: String?) throws(APIError) -> String {
    let destination = MailDestination(user: user, mail)
    return try store.transaction { transaction throws(APIError) in
      try destination.project(
        or: server.defaultProject,
        isProject: { (id) throws(APIError) in try isProject(id, in: transaction) },
        isUsable: ProjectID.isUsable,
        owners: { (address) throws(APIError) in
          try AccountsSchema.projectIds(ofAccount: address, in: transaction)
        })
    }
  }

  private func transact<Value>(
    _ projectId: String, _ body: (ProjectTransaction) throws(APIError) -> Value
  ) throws(APIError) -> Value {
    let (value, outbox) = try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: projectId, tenantId: nil, server: server)
      return (try body(project), project.outbox)
    }
    server.changes.publish(outbox.changes)
    return value
  }
}
