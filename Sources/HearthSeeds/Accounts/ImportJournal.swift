import HearthCrypto
package import HearthErrors
import HearthIdentityToolkit
package import HearthOperations
package import HearthSQLite
import HearthWire

/// What an import has changed of a project's accounts and settings so far. The store keeps it until
/// the import is complete, so that one that fails is undone, also where the process was killed.
package struct ImportJournal: Sendable {
  /// How many accounts are taken back while nobody else is served.
  private static let slice = 250

  private let target: ImportTarget
  private let id: String

  private init(_ target: ImportTarget, id: String) {
    self.target = target
    self.id = id
  }

  /// Remembers how the project is now.
  package static func begin(
    _ store: Store, server: ServerFacts, projectId: String
  ) throws(APIError) -> ImportJournal {
    let target = ImportTarget(store: store, server: server, projectId: projectId)
    return try target.transaction { project, context throws(APIError) in
      let journal = ImportJournal(target, id: context.random.alphanumeric(20))
      try project.transaction.execute(
        "INSERT INTO imports (id, project, facts) VALUES (?, ?, ?)",
        arguments: [journal.id, projectId, try ProjectFacts(of: project).json.text])
      return journal
    }
  }

  /// Undoes what runs before this one have left unfinished.
  ///
  /// - Returns: the projects that were imported into.
  package static func recover(
    _ store: Store, server: ServerFacts
  ) throws(APIError) -> [String] {
    let found = try store.transaction { transaction throws(APIError) in
      try transaction.all("SELECT id, project FROM imports") {
        (id: $0[0] as String, project: $0[1] as String)
      }
    }
    for entry in found {
      let target = ImportTarget(store: store, server: server, projectId: entry.project)
      try ImportJournal(target, id: entry.id).undo()
    }
    try store.transaction { transaction throws(APIError) in
      try transaction.execute("DELETE FROM import_accounts")
    }
    return found.map(\.project)
  }

  // MARK: What was changed

  package func note(accounts: [String], in project: ProjectTransaction) throws(APIError) {
    for localId in accounts {
      try note(localId, of: project.tenantId ?? "", transaction: project.transaction)
    }
  }

  /// Whether this import has added the account.
  func hasNoted(_ localId: String, in project: ProjectTransaction) throws(APIError) -> Bool {
    try project.transaction.first(
      "SELECT 1 FROM import_accounts WHERE import = ? AND tenant = ? AND local_id = ?",
      arguments: [id, project.tenantId ?? "", localId]
    ) { _ in true } ?? false
  }

  /// To be called before the tenant is stored.
  package func note(tenant: String, in project: ProjectTransaction) throws(APIError) {
    let known = try TenantSettings.load(tenant, of: project.projectId, in: project.transaction)
    if known == nil { try note("", of: tenant, transaction: project.transaction) }
  }

  private func note(
    _ localId: String, of tenant: String, transaction: Transaction
  ) throws(APIError) {
    try transaction.execute(
      "INSERT OR IGNORE INTO import_accounts (import, tenant, local_id) VALUES (?, ?, ?)",
      arguments: [id, tenant, localId])
  }

  // MARK: The end

  /// The import is complete when this transaction is.
  package func close(in transaction: Transaction) throws(APIError) {
    try transaction.execute("DELETE FROM imports WHERE id = ?", arguments: [id])
  }

  /// Deletes the notes of an import that is complete.
  package func forget() throws(APIError) {
    var isMore = true
    while isMore {
      isMore = try target.store.transaction { transaction throws(APIError) in
        try transaction.execute(
          """
          DELETE FROM import_accounts WHERE import = ?1 AND (tenant, local_id) IN
            (SELECT tenant, local_id FROM import_accounts WHERE import = ?1 LIMIT 4000)
          """, arguments: [id])
        return transaction.changedRows > 0
      }
    }
  }

  /// Takes back what was changed: accounts first, the project's settings last.
  package func undo() throws(APIError) {
    while try undoSlice() {}
    try target.transaction { project, _ throws(APIError) in
      let transaction = project.transaction
      for account in try accounts(transaction, isTenant: true, limit: -1) {
        try Tenants(in: project.inTenant(account.tenantId)).delete()
      }
      let facts = try transaction.first("SELECT facts FROM imports WHERE id = ?", arguments: [id]) {
        try JSON.parse($0[0] as String)
      }
      guard let facts else { return }
      try transaction.execute(
        "DELETE FROM idp_configs WHERE project = ?", arguments: [project.projectId])
      try ProjectFacts.restore(facts, in: project)
      try close(in: transaction)
    }
    try forget()
  }

  private func undoSlice() throws(APIError) -> Bool {
    try target.transaction { project, _ throws(APIError) in
      let found = try accounts(project.transaction, isTenant: false, limit: Self.slice)
      for account in found {
        let owner = project.inTenant(account.tenantId)
        if let user = try Accounts(in: owner).user(localId: account.localId) {
          try Accounts(in: owner).delete(user)
        }
        try project.transaction.execute(
          "DELETE FROM import_accounts WHERE import = ? AND tenant = ? AND local_id = ?",
          arguments: [id, account.tenantId ?? "", account.localId])
      }
      return !found.isEmpty
    }
  }

  private func accounts(
    _ transaction: Transaction, isTenant: Bool, limit: Int
  ) throws(APIError) -> [AccountName] {
    try transaction.all(
      """
      SELECT tenant, local_id FROM import_accounts
      WHERE import = ? AND (local_id = '') = ? LIMIT ?
      """, arguments: [id, isTenant ? 1 : 0, limit]
    ) { row in
      let tenant: String = row[0]
      return AccountName(tenantId: tenant.isEmpty ? nil : tenant, localId: row[1])
    }
  }
}
