package import HearthErrors
package import HearthSQLite

/// The tables of accounts, and of all that belongs to them.
package enum AccountsSchema {
  /// Keys, and what is searched or sorted by, are columns; the rest of a record is JSON text that
  /// `sqlite3` can query. The tenant of the project's own accounts is the empty string.
  package static let migrations = [
    Migration("1 accounts, codes, tokens, mailbox", sql: accounts),
    Migration("2 text messages, authenticator apps", sql: secondFactors),
    Migration(
      "3 provider configurations",
      sql: """
        CREATE TABLE idp_configs (
          project TEXT NOT NULL,
          tenant TEXT NOT NULL,
          kind TEXT NOT NULL,
          id TEXT NOT NULL,
          record TEXT NOT NULL,
          PRIMARY KEY (project, tenant, kind, id)
        ) WITHOUT ROWID
        """),
    Migration(
      "4 policies of tenants",
      sql: """
        CREATE TABLE iam_policies (
          project TEXT NOT NULL,
          tenant TEXT NOT NULL,
          policy TEXT NOT NULL,
          PRIMARY KEY (project, tenant)
        ) WITHOUT ROWID
        """),
    Migration(
      "10 apps of codes",
      sql: """
        ALTER TABLE oob_codes ADD COLUMN ios_bundle TEXT;
        ALTER TABLE oob_codes ADD COLUMN android_package TEXT
        """),
    // What unfinished imports have changed. A tenant that is new has an empty id of an account.
    Migration(
      "unfinished imports",
      sql: """
        CREATE TABLE imports (
          id TEXT PRIMARY KEY,
          project TEXT NOT NULL,
          facts TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE import_accounts (
          import TEXT NOT NULL,
          tenant TEXT NOT NULL,
          local_id TEXT NOT NULL,
          PRIMARY KEY (import, tenant, local_id)
        ) WITHOUT ROWID;
        """),
    // Production binds codes to accounts, and imports an address twice.
    Migration(
      "accounts of codes",
      sql: """
        ALTER TABLE oob_codes ADD COLUMN local_id TEXT;
        CREATE INDEX oob_codes_unused ON oob_codes (email, request_type) WHERE used_at IS NULL;
        DROP INDEX users_by_email;
        CREATE INDEX users_by_email ON users (email, project, tenant) WHERE email IS NOT NULL;
        """),
    // Production keeps them for the session.
    Migration(
      "attributes of sessions", sql: "ALTER TABLE refresh_tokens ADD COLUMN sign_in_attributes TEXT"
    ),
    // What an export gives back of accounts that came from a folder.
    Migration(
      "records of imported accounts",
      sql: """
        CREATE TABLE imported_records (
          project TEXT NOT NULL,
          tenant TEXT NOT NULL,
          local_id TEXT NOT NULL,
          original TEXT NOT NULL,
          taken TEXT NOT NULL,
          PRIMARY KEY (project, tenant, local_id)
        ) WITHOUT ROWID
        """),
    Migration(
      "apps that open links",
      sql: """
        CREATE TABLE app_links (
          project TEXT PRIMARY KEY,
          record TEXT NOT NULL
        ) WITHOUT ROWID
        """),
  ]

  /// A refresh token names its project, so that a fork has none.
  package static let snapshotTables = [
    SnapshotTable("idp_configs", key: ["project", "tenant", "kind", "id"]),
    SnapshotTable("iam_policies", key: ["project", "tenant"]),
    SnapshotTable("users", key: ["project", "tenant", "local_id"], isOrdered: true),
    SnapshotTable("imported_records", key: ["project", "tenant", "local_id"]),
    SnapshotTable(
      "provider_links", key: ["raw_id", "provider_id", "project", "tenant", "local_id"]),
    SnapshotTable("oob_codes", key: ["sequence"], makesKey: true),
    SnapshotTable("refresh_tokens", key: ["sequence"], makesKey: true, isForked: false),
    SnapshotTable("verification_codes", key: ["sequence"], makesKey: true),
    SnapshotTable("attempts", key: ["project", "tenant", "kind", "subject"]),
    SnapshotTable("temporary_proofs", key: ["sequence"], makesKey: true),
    SnapshotTable("totp_sessions", key: ["sequence"], makesKey: true),
    SnapshotTable("app_links", key: ["project"]),
  ]

  /// The projects that have accounts.
  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    try transaction.all("SELECT DISTINCT project FROM users") { $0[0] as String }
  }

  /// The projects that have an account with an address.
  package static func projectIds(
    ofAccount email: String, in transaction: Transaction
  ) throws(APIError) -> [String] {
    try transaction.all(
      "SELECT DISTINCT project FROM users WHERE email = ? LIMIT 10",
      arguments: [Email(unchecked: email)]
    ) { $0[0] as String }
  }

  /// The projects that have an account with the phone number.
  package static func projectIds(
    ofPhone number: String, in transaction: Transaction
  ) throws(APIError) -> [String] {
    try transaction.all(
      "SELECT DISTINCT project FROM users WHERE phone_number = ? LIMIT 2", arguments: [number]
    ) { $0[0] as String }
  }

  private static let accounts = """
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
}
