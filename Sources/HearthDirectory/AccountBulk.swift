package import HearthErrors
import HearthIdentityToolkit
package import HearthOperations
package import HearthSQLite
import HearthTime
import HearthWire

/// What can be done with many accounts at once.
package enum AccountBulkAction: String, Sendable, CaseIterable {
  case disable, enable, delete, revokeSessions

  /// Whether there was anything to do.
  fileprivate func apply(
    to given: User, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Bool {
    var user = given
    switch self {
    case .disable, .enable:
      let isDisabled = self == .disable
      guard user.isDisabled != isDisabled else { return false }
      user.disabled = AccountFlag(isDisabled)
      try Accounts(in: project).save(&user)
    case .delete:
      try Accounts(in: project).delete(user)
      Accounts(in: project).publishDeleted(user, context: context)
    case .revokeSessions:
      user.validSince = .seconds(of: context.now)
      try Sessions(in: project).revokeRefreshTokens(of: user, issuedUntil: context.now.seconds)
      try Accounts(in: project).save(&user)
    }
    return true
  }
}

/// Changes many accounts, in transactions between which others are served. Where the store fails, what
/// was done before stays.
package struct AccountBulk: Sendable {
  /// A transaction that has taken this long changes no other account.
  private static let longest = Duration.milliseconds(10)

  package let store: Store
  package let server: ServerFacts
  package let action: AccountBulkAction
  package let context: Context
  /// Takes what each transaction announces.
  package let deliver: @Sendable (Outbox) -> Void

  package init(
    _ store: Store, server: ServerFacts, action: AccountBulkAction, context: Context,
    deliver: @escaping @Sendable (Outbox) -> Void
  ) {
    self.store = store
    self.server = server
    self.action = action
    self.context = context
    self.deliver = deliver
  }

  /// The accounts of those ids. Returns how many have changed.
  package func run(
    localIds: [String], in projectId: String, tenant: String?
  ) async throws(APIError) -> Int {
    try await run(localIds) { localId, transaction throws(APIError) in
      let project = project(projectId, tenant: tenant, transaction: transaction)
      return try Accounts(in: project).user(localId: localId).map { (project, $0) }
    }
  }

  /// The accounts of those rows, of whatever tenant they are.
  package func run(rows: [Int64], in projectId: String) async throws(APIError) -> Int {
    try await run(rows) { row, transaction throws(APIError) in
      let found = try transaction.first(
        "SELECT tenant, record FROM users WHERE rowid = ? AND project = ?",
        arguments: [row, projectId]
      ) { ($0[0] as String, User(record: try JSON.parse($0[1] as String))) }
      guard let (tenant, user) = found else { return nil }
      return (
        project(projectId, tenant: tenant.isEmpty ? nil : tenant, transaction: transaction), user
      )
    }
  }

  private func project(
    _ id: String, tenant: String?, transaction: Transaction
  ) -> ProjectTransaction {
    ProjectTransaction(transaction, projectId: id, tenantId: tenant, server: server)
  }

  private func run<Item>(
    _ items: [Item],
    find: (Item, Transaction) throws(APIError) -> (ProjectTransaction, User)?
  ) async throws(APIError) -> Int {
    var changed = 0
    var rest = items[...]
    while !rest.isEmpty {
      let (count, done, outbox) = try store.transaction { transaction throws(APIError) in
        try slice(rest, transaction: transaction, find: find)
      }
      changed += count
      rest = rest.dropFirst(done)
      deliver(outbox)
      await Task.yield()
    }
    return changed
  }

  private func slice<Item>(
    _ items: ArraySlice<Item>, transaction: Transaction,
    find: (Item, Transaction) throws(APIError) -> (ProjectTransaction, User)?
  ) throws(APIError) -> (changed: Int, done: Int, outbox: Outbox) {
    let began = ContinuousClock.now
    var outbox = Outbox()
    var (changed, done) = (0, 0)
    for item in items where done == 0 || ContinuousClock.now - began < Self.longest {
      done += 1
      guard let (project, user) = try find(item, transaction) else { continue }
      if try action.apply(to: user, project: project, context: context) { changed += 1 }
      outbox.changes += project.outbox.changes
      outbox.userEvents += project.outbox.userEvents
    }
    return (changed, done, outbox)
  }
}
