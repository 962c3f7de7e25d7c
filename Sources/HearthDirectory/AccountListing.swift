package import HearthErrors
import HearthIdentityToolkit
import HearthOperations
package import HearthSQLite
package import HearthWire

/// Pages of accounts for people, who know a part of what they look for.
package struct AccountListing: Sendable {
  /// So many are read at once; for more, the first page does not wait.
  private static let few = 20_000

  private let store: Store
  private let directory: AccountDirectory

  package init(_ store: Store, directory: AccountDirectory) {
    self.store = store
    self.directory = directory
  }

  /// The answer to a list. The tenant is empty for the accounts of the project itself, and nil for those
  /// of all tenants.
  package func page(
    _ filter: AccountFilter, page: AccountPage, in project: String, tenant: String?
  ) async throws(APIError) -> JSONObject {
    if let tenant, !directory.isReady, filter.isEmpty, page.isNewestFirst, try hasMany() {
      directory.warmUp()
      return try newest(page, in: project, tenant: tenant)
    }
    return try await directory.work.run { () throws(APIError) in
      let found = try directory.find(filter, page: page, in: project, tenant: tenant)
      let users = try store.transaction { transaction throws(APIError) in
        var users: [User] = []
        for row in found.rows {
          // One that has gone since is left out.
          if let user = try Self.user(row, in: project, transaction: transaction) {
            users.append(user)
          }
        }
        return users
      }
      return Self.answer(users, count: found.count, next: found.next)
    }
  }

  private static func answer(_ users: [User], count: Int, next: String?) -> JSONObject {
    JSONObject([
      "recordsCount": .string(String(count)),
      "userInfo": .array(users.map { $0.wire(for: .admin) }), "nextPageToken": next.json,
    ])
  }

  private static func user(
    _ row: Int64, in project: String, transaction: Transaction
  ) throws(APIError) -> User? {
    try transaction.first(
      "SELECT record FROM users WHERE rowid = ? AND project = ?", arguments: [row, project]
    ) { User(record: try JSON.parse($0[0] as String)) }
  }

  // MARK: While the accounts are being read

  private func hasMany() throws(APIError) -> Bool {
    try store.transaction { transaction throws(APIError) in
      let some = "SELECT COUNT(*) FROM (SELECT 1 FROM users LIMIT ?)"
      return try transaction.count(some, arguments: [Self.few]) >= Self.few
    }
  }

  /// In the order in which they were stored.
  private func newest(
    _ page: AccountPage, in project: String, tenant: String
  ) throws(APIError) -> JSONObject {
    try store.transaction { transaction throws(APIError) in
      var users = try transaction.all(
        """
        SELECT rowid, record FROM users WHERE rowid < ? AND +project = ? AND +tenant = ?
        ORDER BY rowid DESC LIMIT ? OFFSET ?
        """,
        arguments: [page.after?.row ?? Int64.max, project, tenant, page.limit + 1, page.offset]
      ) { (row: $0[0] as Int64, user: User(record: try JSON.parse($0[1] as String))) }
      var next: String?
      if users.count > page.limit {
        users.removeLast()
        next = users.last.map {
          page.token(
            of: AccountPage.Place(
              number: $0.user.createdAt?.number ?? 0, text: [], row: $0.row))
        }
      }
      let count = try Self.count(project, tenant: tenant, transaction: transaction)
      return Self.answer(users.map(\.user), count: count, next: next)
    }
  }

  /// To count all rows takes a tenth of counting those of one project.
  private static func count(
    _ project: String, tenant: String, transaction: Transaction
  ) throws(APIError) -> Int {
    // The first and the last in the order of the key: comparing with `<` would read all rows.
    let isOnlyOne =
      try transaction.first(
        """
        SELECT 1
        WHERE (?1, ?2) = (SELECT project, tenant FROM users ORDER BY project, tenant LIMIT 1)
          AND (?1, ?2) =
            (SELECT project, tenant FROM users ORDER BY project DESC, tenant DESC LIMIT 1)
        """, arguments: [project, tenant]
      ) { _ in true } ?? false
    if isOnlyOne { return try transaction.count("SELECT COUNT(*) FROM users") }
    return try transaction.count(
      "SELECT COUNT(*) FROM users WHERE project = ? AND tenant = ?", arguments: [project, tenant])
  }
}

extension AccountPage {
  fileprivate var isNewestFirst: Bool { key == .created && isDescending }
}
