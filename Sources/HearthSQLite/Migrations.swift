import GRDB

/// The one schema, and how older files come up to it. A migration that has shipped never changes.
enum Migrations {
  private static let all: [(name: String, sql: String)] = [
    ("1 accounts, codes, tokens, mailbox", accounts),
    ("2 text messages, authenticator apps", secondFactors),
    (
      "3 provider configurations",
      """
      CREATE TABLE idp_configs (
        project TEXT NOT NULL,
        tenant TEXT NOT NULL,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (project, tenant, kind, id)
      ) WITHOUT ROWID
      """
    ),
    (
      "4 policies of tenants",
      """
      CREATE TABLE iam_policies (
        project TEXT NOT NULL,
        tenant TEXT NOT NULL,
        policy TEXT NOT NULL,
        PRIMARY KEY (project, tenant)
      ) WITHOUT ROWID
      """
    ),
    ("5 documents", documents),
    (
      "7 senders of mails",
      """
      ALTER TABLE messages ADD COLUMN sender_name TEXT;
      ALTER TABLE messages ADD COLUMN reply_to TEXT;
      """
    ),
    (
      "6 rows of dialects",
      """
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
      """
    ),
    ("8 messages are found by their recipients", "DROP INDEX messages_by_code"),
  ]

  /// Brings a file up to date; it knows which migrations it has had.
  static func bringUp(_ file: DatabaseQueue) throws {
    var migrator = DatabaseMigrator()
    for (name, sql) in all {
      migrator.registerMigration(name) { try $0.execute(sql: sql) }
    }
    guard try !file.read(migrator.hasBeenSuperseded) else { throw StoreError.newer(file.path) }
    try migrator.migrate(file)
  }

  /// A database that nobody opens again needs no record of them, and starts sooner.
  static func make(in memory: DatabaseQueue) throws {
    try memory.write { database in
      for (_, sql) in all { try database.execute(sql: sql) }
    }
  }

  /// `path` and `key` are bytes in the order of what they stand for.
  private static let documents = """
    CREATE TABLE firestore_collections (
      id INTEGER PRIMARY KEY,
      project TEXT NOT NULL,
      database TEXT NOT NULL,
      path BLOB NOT NULL,
      collection_id TEXT NOT NULL
    );
    CREATE UNIQUE INDEX firestore_collections_by_path
      ON firestore_collections (project, database, path);
    CREATE INDEX firestore_collections_by_id
      ON firestore_collections (project, database, collection_id, path);

    CREATE TABLE firestore_documents (
      id INTEGER PRIMARY KEY,
      collection INTEGER NOT NULL,
      name TEXT NOT NULL,
      fields BLOB NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX firestore_documents_by_name ON firestore_documents (collection, name);

    CREATE TABLE firestore_entries (
      collection INTEGER NOT NULL,
      key BLOB NOT NULL,
      document INTEGER NOT NULL,
      PRIMARY KEY (collection, key)
    ) WITHOUT ROWID;

    CREATE TABLE firestore_clocks (
      project TEXT NOT NULL,
      database TEXT NOT NULL,
      last_commit INTEGER NOT NULL,
      PRIMARY KEY (project, database)
    ) WITHOUT ROWID;
    """

  private static let secondFactors = """
    CREATE TABLE verification_codes (
      sequence INTEGER PRIMARY KEY,
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      digest BLOB NOT NULL,
      session_info TEXT NOT NULL,
      phone_number TEXT NOT NULL,
      code TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX verification_codes_by_digest
      ON verification_codes (digest, project, tenant);

    CREATE TABLE attempts (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (project, tenant, kind, subject)
    ) WITHOUT ROWID;

    CREATE TABLE temporary_proofs (
      sequence INTEGER PRIMARY KEY,
      project TEXT NOT NULL,
      digest BLOB NOT NULL,
      phone_number TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX temporary_proofs_by_digest ON temporary_proofs (digest, project);

    CREATE TABLE totp_sessions (
      sequence INTEGER PRIMARY KEY,
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      digest BLOB NOT NULL,
      local_id TEXT NOT NULL,
      secret TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX totp_sessions_by_digest ON totp_sessions (digest, project, tenant);
    """

  /// Keys, and what is searched or sorted by, are columns; the rest of a record is JSON text that
  /// `sqlite3` can query. The tenant of the project's own accounts is the empty string.
  private static let accounts = """
    CREATE TABLE projects (
      project TEXT PRIMARY KEY,
      config TEXT NOT NULL,
      switches TEXT NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE tenants (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      record TEXT NOT NULL,
      PRIMARY KEY (project, tenant)
    ) WITHOUT ROWID;

    CREATE TABLE users (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      local_id TEXT NOT NULL,
      email TEXT,
      initial_email TEXT,
      phone_number TEXT,
      record TEXT NOT NULL,
      PRIMARY KEY (project, tenant, local_id)
    );
    CREATE UNIQUE INDEX users_by_email ON users (email, project, tenant)
      WHERE email IS NOT NULL;
    CREATE INDEX users_by_initial_email ON users (initial_email, project, tenant)
      WHERE initial_email IS NOT NULL;
    CREATE INDEX users_by_phone_number ON users (phone_number, project, tenant)
      WHERE phone_number IS NOT NULL;

    CREATE TABLE provider_links (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      provider_id TEXT NOT NULL,
      raw_id TEXT NOT NULL,
      local_id TEXT NOT NULL,
      email TEXT,
      PRIMARY KEY (raw_id, provider_id, project, tenant, local_id)
    ) WITHOUT ROWID;
    CREATE INDEX provider_links_by_user ON provider_links (local_id, project, tenant);
    CREATE INDEX provider_links_by_email ON provider_links (email, project, tenant)
      WHERE email IS NOT NULL;

    CREATE TABLE oob_codes (
      sequence INTEGER PRIMARY KEY,
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      digest BLOB NOT NULL,
      code TEXT NOT NULL,
      request_type TEXT NOT NULL,
      email TEXT NOT NULL,
      new_email TEXT,
      link TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      used_at INTEGER
    );
    CREATE UNIQUE INDEX oob_codes_by_digest ON oob_codes (digest, project, tenant);

    CREATE TABLE refresh_tokens (
      sequence INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE,
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      local_id TEXT NOT NULL,
      sign_in_provider TEXT NOT NULL,
      extra_claims TEXT,
      second_factor TEXT,
      issued_at INTEGER NOT NULL,
      revoked INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX refresh_tokens_by_user ON refresh_tokens (local_id, project, tenant);

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
