package import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// The accounts of a project or tenant.
package struct Accounts: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

/// The accounts of a project or tenant.
extension Accounts {
  private static let columns = "SELECT record FROM users WHERE"

  package func user(localId: String) throws(APIError) -> User? {
    try transaction.first(
      "\(Self.columns) project = ? AND tenant = ? AND local_id = ?",
      arguments: [projectId, tenantKey, localId], read: Self.read)
  }

  package func user(email: Email) throws(APIError) -> User? {
    try transaction.first(
      "\(Self.columns) email = ? AND project = ? AND tenant = ?",
      arguments: [email, projectId, tenantKey], read: Self.read)
  }

  /// All users with that address, the oldest first: production imports an address twice.
  func users(email: Email) throws(APIError) -> [User] {
    try transaction.all(
      "\(Self.columns) email = ? AND project = ? AND tenant = ? ORDER BY rowid",
      arguments: [email, projectId, tenantKey], read: Self.read)
  }

  /// Whether somebody has that address.
  func hasUser(email: Email) throws(APIError) -> Bool {
    try transaction.first(
      "SELECT 1 FROM users WHERE email = ? AND project = ? AND tenant = ?",
      arguments: [email, projectId, tenantKey]
    ) { _ in true } ?? false
  }

  /// The display name of the account with that address. Nil without such an account, and empty if
  /// the account has no name.
  package func displayName(ofEmail email: Email) throws(APIError) -> String? {
    try transaction.first(
      """
      SELECT json_extract(record, '$.displayName') FROM users
      WHERE email = ? AND project = ? AND tenant = ?
      """,
      arguments: [email, projectId, tenantKey]
    ) { ($0[0] as String?) ?? "" }
  }

  func user(initialEmail: Email) throws(APIError) -> User? {
    try transaction.first(
      "\(Self.columns) initial_email = ? AND project = ? AND tenant = ?",
      arguments: [initialEmail, projectId, tenantKey], read: Self.read)
  }

  /// The latest of them: an import does not ask whose a number is.
  func user(phoneNumber: PhoneNumber) throws(APIError) -> User? {
    try transaction.first(
      """
      \(Self.columns) phone_number = ? AND project = ? AND tenant = ?
      ORDER BY rowid DESC LIMIT 1
      """,
      arguments: [phoneNumber, projectId, tenantKey], read: Self.read)
  }

  /// The user with that account at a provider; `password` and `phone` are providers too.
  package func user(providerId: String, rawId: String) throws(APIError) -> User? {
    switch providerId {
    case "password":
      let user = try user(email: Email(canonical: rawId))
      return user?.provider("password") == nil ? nil : user
    case "phone": return try user(phoneNumber: PhoneNumber(unchecked: rawId))
    default:
      return try transaction.first(
        """
        SELECT record FROM users JOIN provider_links USING (project, tenant, local_id)
        WHERE raw_id = ? AND provider_id = ? AND project = ? AND tenant = ?
        """,
        arguments: [rawId, providerId, projectId, tenantKey], read: Self.read)
    }
  }

  /// The id of the user with that account at a provider that is neither `password` nor `phone`,
  /// without reading the whole record.
  func localId(providerId: String, rawId: String) throws(APIError) -> String? {
    try transaction.first(
      """
      SELECT local_id FROM users JOIN provider_links USING (project, tenant, local_id)
      WHERE raw_id = ? AND provider_id = ? AND project = ? AND tenant = ?
      """,
      arguments: [rawId, providerId, projectId, tenantKey]
    ) { $0[0] as String }
  }

  /// All users with that address at some provider.
  func users(providerEmail email: Email) throws(APIError) -> [User] {
    try transaction.all(
      """
      SELECT DISTINCT users.local_id, record FROM users
      JOIN provider_links USING (project, tenant, local_id)
      WHERE provider_links.email = ? AND project = ? AND tenant = ?
      """,
      arguments: [email, projectId, tenantKey]
    ) { User(record: try JSON.parse($0[1] as String)) }
  }

  /// Users with an account at that provider, in the order of their ids.
  func users(ofProvider providerId: String, limit: Int) throws(APIError) -> [User] {
    try transaction.all(
      """
      SELECT record FROM users JOIN provider_links USING (project, tenant, local_id)
      WHERE provider_id = ? AND project = ? AND tenant = ? ORDER BY local_id LIMIT ?
      """,
      arguments: [providerId, projectId, tenantKey, limit], read: Self.read)
  }

  /// Users by id, those after the given one; a negative limit for all.
  package func users(after localId: String, limit: Int) throws(APIError) -> [User] {
    try transaction.all(
      """
      \(Self.columns) project = ? AND tenant = ? AND local_id > ? ORDER BY local_id LIMIT ?
      """,
      arguments: [projectId, tenantKey, localId, limit], read: Self.read)
  }

  private static func read(_ row: ResultRow) throws -> User {
    User(record: try JSON.parse(row[0] as String))
  }

  /// Stores the user, new or known, with the entries that follow from its fields.
  package func save(_ user: inout User) throws(APIError) {
    user.refreshProviders()
    try publishUpdated(user)
    let keys = user.searchKeys
    let record = user.record.text
    if keys == user.storedKeys {
      if try update(user.localId, record: record) { return }
      user.storedKeys = nil
    }
    try transaction.execute(
      """
      INSERT INTO users (project, tenant, local_id, email, initial_email, phone_number, record)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (project, tenant, local_id) DO UPDATE SET
        email = excluded.email, initial_email = excluded.initial_email,
        phone_number = excluded.phone_number, record = excluded.record
      """,
      arguments: [
        projectId, tenantKey, user.localId, user.email, user.initialEmail, user.phoneNumber,
        record,
      ])
    if keys.links != user.storedKeys?.links ?? [] { try save(keys.links, of: user) }
    user.storedKeys = keys
  }

  /// Most writes leave the indexes as they are, and then they need not be written again. False when
  /// the user has been deleted since.
  private func update(_ localId: String, record: String) throws(APIError) -> Bool {
    try transaction.execute(
      "UPDATE users SET record = ? WHERE project = ? AND tenant = ? AND local_id = ?",
      arguments: [record, projectId, tenantKey, localId])
    return transaction.changedRows > 0
  }

  private func save(_ links: Set<ProviderLink>, of user: User) throws(APIError) {
    try removeLinks(of: user.localId)
    for link in links {
      try transaction.execute(
        """
        INSERT INTO provider_links (project, tenant, provider_id, raw_id, local_id, email)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        arguments: [projectId, tenantKey, link.providerId, link.rawId, user.localId, link.email])
    }
  }

  private func removeLinks(of localId: String) throws(APIError) {
    try transaction.execute(
      "DELETE FROM provider_links WHERE local_id = ? AND project = ? AND tenant = ?",
      arguments: [localId, projectId, tenantKey])
  }

  package func delete(_ user: User) throws(APIError) {
    try removeLinks(of: user.localId)
    try keepImported(nil, of: user.localId)
    try transaction.execute(
      "\(try endingOfSessions) WHERE local_id = ? AND project = ? AND tenant = ?",
      arguments: [user.localId, projectId, tenantKey])
    try transaction.execute(
      "DELETE FROM users WHERE project = ? AND tenant = ? AND local_id = ?",
      arguments: [projectId, tenantKey, user.localId])
  }

  /// Production remembers whose a refresh token was.
  private var endingOfSessions: String {
    get throws(APIError) {
      switch try answers {
      case .emulator: "DELETE FROM refresh_tokens"
      case .production: "UPDATE refresh_tokens SET revoked = 1"
      }
    }
  }

  /// Drops all accounts of this project or tenant; codes, mails and settings stay.
  package func deleteAllUsers() throws(APIError) {
    try transaction.execute(
      "\(try endingOfSessions) WHERE project = ? AND tenant = ?", arguments: [projectId, tenantKey])
    for table in ["provider_links", "imported_records", "users"] {
      try transaction.execute(
        "DELETE FROM \(table) WHERE project = ? AND tenant = ?", arguments: [projectId, tenantKey])
    }
  }
}

extension Accounts {
  /// The user with that passkey.
  func user(passkey credentialId: String) throws(APIError) -> User? {
    try user(providerId: "passkey", rawId: credentialId)
  }
}
