package import HearthErrors
package import HearthSQLite

extension Message {
  package static let migrations = [
    Migration("1 accounts, codes, tokens, mailbox", messages),
    Migration(
      "7 senders of mails",
      """
      ALTER TABLE messages ADD COLUMN sender_name TEXT;
      ALTER TABLE messages ADD COLUMN reply_to TEXT;
      """),
    Migration("8 messages are found by their recipients", "DROP INDEX messages_by_code"),
  ]

  package static let snapshotTables = [
    SnapshotTable("messages", key: ["id"], makesKey: true, reusesKeys: false)
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
}
