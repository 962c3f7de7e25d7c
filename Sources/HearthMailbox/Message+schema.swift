package import HearthErrors
package import HearthSQLite

extension Message {
  package static let migrations = [
    Migration("1 accounts, codes, tokens, mailbox", sql: messages),
    Migration(
      "7 senders of mails",
      sql: """
        ALTER TABLE messages ADD COLUMN sender_name TEXT;
        ALTER TABLE messages ADD COLUMN reply_to TEXT;
        """),
    Migration("8 messages are found by their recipients", sql: "DROP INDEX messages_by_code"),
    Migration("9 mails of apps", sql: mails),
  ]

  package static let snapshotTables = [
    SnapshotTable(
      "messages", key: ["id"], makesKey: true, reusesKeys: false, numbers: ["id": "messages"]),
    SnapshotTable("mails", key: ["message"], numbers: ["message": "messages"]),
    SnapshotTable(
      "mail_recipients", key: ["project", "address", "message"], numbers: ["message": "messages"]),
    SnapshotTable("mail_rules", key: ["project"]),
  ]

  /// The projects that have mail.
  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    try transaction.all("SELECT DISTINCT project FROM messages") { $0[0] as String }
  }

  private static let messages = """
    CREATE TABLE messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      type TEXT NOT NULL,
      recipient TEXT NOT NULL,
      sender TEXT NOT NULL,
      subject TEXT NOT NULL,
      code TEXT,
      link TEXT,
      locale TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      used_at INTEGER,
      text TEXT NOT NULL,
      html TEXT NOT NULL
    );
    CREATE INDEX messages_by_recipient ON messages (recipient, project, id);
    CREATE INDEX messages_by_project ON messages (project, id);
    CREATE INDEX messages_by_code ON messages (code, project) WHERE code IS NOT NULL;
    """

  /// What only mails have that an app sent by itself. Mails of Auth take a row of `messages` each, and
  /// large ones a row of `mails` with their bytes alone.
  ///
  /// `bytes` is what the mail takes in all, for the bound of a mailbox. The raw mail is the last
  /// column, so that nothing else has to skip it.
  private static let mails = """
    ALTER TABLE messages ADD COLUMN source TEXT;
    ALTER TABLE messages ADD COLUMN token TEXT;
    ALTER TABLE messages ADD COLUMN delivery TEXT;
    ALTER TABLE messages ADD COLUMN tags TEXT;
    ALTER TABLE messages ADD COLUMN is_read INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE mails (
      message INTEGER PRIMARY KEY,
      project TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      size INTEGER NOT NULL,
      details TEXT NOT NULL,
      is_packed INTEGER NOT NULL,
      raw BLOB NOT NULL
    );
    CREATE INDEX mails_by_project ON mails (project, message, bytes);

    CREATE TABLE mail_recipients (
      project TEXT NOT NULL,
      address TEXT NOT NULL,
      message INTEGER NOT NULL,
      PRIMARY KEY (project, address, message)
    ) WITHOUT ROWID;
    CREATE INDEX mail_recipients_by_message ON mail_recipients (message);

    CREATE TABLE mail_rules (
      project TEXT PRIMARY KEY,
      rules TEXT NOT NULL
    ) WITHOUT ROWID;
    """
}
