import HearthErrors
import HearthIdentityToolkit
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTriggerEmail

/// Takes the mails that apps send by themselves, over SMTP or a provider's API.
struct MailIntake: MailStore {
  let store: Store
  let server: ServerFacts

  /// Reads a mail, finds out whose it is, and stores it. When this returns, the mail is kept.
  ///
  /// - Parameter user: the user name of SMTP, or the key of the API: it may name a project.
  /// - Throws: `UNAVAILABLE` when too much waits already.
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

  private func keep(_ first: PreparedMail, in project: String) throws(APIError) -> Int64 {
    let rules = try transact(project) { (project) throws(APIError) in try project.mailRules() }
    let prepared = rules.isEmpty ? first : first.reading(with: rules)
    return try transact(project) { (project) throws(APIError) in
      try project.receive(prepared, at: server.clocks.now(of: project.projectId))
    }
  }

  private func project(of mail: PreparedMail, user: String?) throws(APIError) -> String {
    let destination = MailDestination(user: user, mail)
    return try store.transaction { transaction throws(APIError) in
      try destination.project(
        or: server.defaultProject,
        isProject: { (id) throws(APIError) in
          if id.hasPrefix("demo-") || id == server.defaultProject { return true }
          return try Schema.projectIds(in: transaction).contains(id)
        },
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
