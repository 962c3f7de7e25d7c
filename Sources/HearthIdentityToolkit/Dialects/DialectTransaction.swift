import HearthCrypto
package import HearthDialects
package import HearthErrors
import HearthMailbox
package import HearthOperations
package import HearthSQLite
package import HearthTime
package import HearthWire

/// What a dialect sees of a project, in one transaction: its accounts are the emulator's.
package struct DialectTransaction: DialectBackEnd {
  private let project: ProjectTransaction
  private let context: Context
  private let slowChecks: SlowPasswordChecks

  package init(
    _ project: ProjectTransaction, context: Context, slowChecks: SlowPasswordChecks
  ) {
    self.project = project
    self.context = context
    self.slowChecks = slowChecks
  }

  // MARK: Accounts

  package func account(_ identity: DialectIdentity) throws(APIError) -> DialectAccount? {
    try user(identity).map { user in
      DialectAccount(
        id: user.localId, email: user.email?.text, phone: user.phoneNumber?.text,
        displayName: user.displayName, photoURL: user.photoUrl,
        createdAt: Timestamp(milliseconds: user.createdAt?.number ?? 0),
        isDisabled: user.isDisabled)
    }
  }

  private func user(_ identity: DialectIdentity) throws(APIError) -> User? {
    switch identity {
    case .email(let address): try Accounts(in: project).user(email: Email(canonical: address))
    case .phone(let number):
      try Accounts(in: project).user(phoneNumber: PhoneNumber(unchecked: number))
    case .id(let id): try Accounts(in: project).user(localId: id)
    }
  }

  package func isPassword(
    _ password: String, of account: DialectAccount?
  ) throws(APIError) -> Bool {
    guard let account, let stored = try user(.id(account.id))?.password else {
      _ = PasswordHash(hashing: password, context.random)
      return false
    }
    return stored.foreign == nil
      ? stored.matches(password) : try slowChecks.isRight(password, stored: stored)
  }

  package func setPassword(
    _ password: String, of account: DialectAccount, endingSessions: Bool
  ) throws(APIError) {
    guard var user = try user(.id(account.id)) else { return }
    let validSince = user.validSince
    user.setPassword(password, in: project, context: context)
    if endingSessions {
      try Sessions(in: project).revokeRefreshTokens(of: user, issuedUntil: context.now.seconds)
    } else {
      user.validSince = validSince
    }
    try Accounts(in: project).save(&user)
  }

  package func noteSignIn(of account: DialectAccount) {
    project.publish(
      "user.signedIn",
      members: .members([
        "localId": .string(account.id), "email": account.email.json, "signInProvider": "password",
      ]))
  }

  // MARK: Rows

  package static let migrations = [
    Migration(
      "6 rows of dialects",
      sql: """
        CREATE TABLE dialect_rows (
          project TEXT NOT NULL,
          tenant TEXT NOT NULL,
          dialect TEXT NOT NULL,
          kind TEXT NOT NULL,
          key TEXT NOT NULL,
          value TEXT NOT NULL,
          until INTEGER NOT NULL,
          PRIMARY KEY (project, tenant, dialect, kind, key)
        ) WITHOUT ROWID
        """)
  ]

  package static let snapshotTables = [
    SnapshotTable("dialect_rows", key: ["project", "tenant", "dialect", "kind", "key"])
  ]

  package func row(_ key: DialectKey) throws(APIError) -> JSON? {
    try project.transaction.first(
      """
      SELECT value FROM dialect_rows
      WHERE project = ? AND tenant = ? AND dialect = ? AND kind = ? AND key = ? AND until > ?
      """,
      arguments: [
        project.projectId, project.tenantKey, key.dialect, key.kind.rawValue, key.key,
        context.now.milliseconds,
      ]
    ) { try JSON.parse($0[0] as String) }
  }

  package func setRow(
    _ key: DialectKey, to value: JSON, until end: Timestamp
  ) throws(APIError) {
    try project.transaction.execute(
      """
      INSERT OR REPLACE INTO dialect_rows (project, tenant, dialect, kind, key, value, until)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        project.projectId, project.tenantKey, key.dialect, key.kind.rawValue, key.key, value.text,
        end.milliseconds,
      ])
  }

  package func removeRow(_ key: DialectKey) throws(APIError) {
    try project.transaction.execute(
      """
      DELETE FROM dialect_rows
      WHERE project = ? AND tenant = ? AND dialect = ? AND kind = ? AND key = ?
      """,
      arguments: [project.projectId, project.tenantKey, key.dialect, key.kind.rawValue, key.key])
  }

  package func digest(of text: String) -> [UInt8] { Digest.sha256.hash(Array(text.utf8)) }

  // MARK: Mail

  package func capture(_ message: DialectMessage) throws(APIError) -> Int64 {
    let type =
      switch (message.channel, message.purpose) {
      case (.sms, _): TextMessage.type
      case (.mail, .token): MailType.passwordReset.rawValue
      case (.mail, .newPassword): "NEW_PASSWORD"
      case (.mail, .notice): "NOTICE"
      }
    return try Mailbox(in: project).keep(
      Message(
        type: type, recipient: message.recipient, sender: message.sender,
        subject: message.subject, code: message.code, link: message.link,
        locale: message.language, createdAt: context.now, expiresAt: message.expiresAt,
        text: message.text, html: message.html))
  }

  package func settle(
    _ message: Int64, as end: DialectMessage.End, at now: Timestamp
  ) throws(APIError) {
    try Mailbox(in: project).settleMessage(message, isUsed: end == .used, at: now)
  }
}
