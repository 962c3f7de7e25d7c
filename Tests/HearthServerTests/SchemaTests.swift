import Foundation
import HearthControl
import HearthErrors
import HearthSQLite
import HearthServer
import HearthTestSupport
import Testing

@Suite struct `The tables of all rooms` {
  /// The names that files of earlier versions know them by.
  private let names = [
    "1 accounts, codes, tokens, mailbox", "2 text messages, authenticator apps",
    "3 provider configurations", "4 policies of tenants", "5 documents", "6 rows of dialects",
    "7 senders of mails", "8 messages are found by their recipients", "10 apps of codes",
  ]

  @Test func `come of migrations that keep their names`() {
    #expect(Set(Schema.migrations.map(\.name)).isSuperset(of: names))
  }

  /// A file that was kept when the version was new.
  @Test(arguments: ["before-0.1.0", "hearth-0.1.0"])
  func `of a file of an earlier version are those of a new one`(_ version: String) throws {
    try withFolder { folder in
      let kept = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../fixtures/databases/\(version)").standardizedFileURL
      try FileManager.default.copyItem(at: kept, to: folder.appending(path: "kept"))
      let new = try tables(in: folder.appending(path: "new"))
      #expect(new.count > 20)
      for _ in 1...2 {
        #expect(try tables(in: folder.appending(path: "kept")) == new)
        #expect(try mails(in: folder.appending(path: "kept")) == ["ada@example.com"])
      }
    }
  }

  @Test(arguments: [
    "projects (project, config, switches) VALUES ('p', '', '')",
    "users (project, tenant, local_id, record) VALUES ('p', '', '', '')",
    "firestore_collections (project, database, path, collection_id) VALUES ('p', '', '', '')",
    """
    messages (project, tenant, type, recipient, sender, subject, locale, created_at, text, html)
    VALUES ('p', 't', '', '', '', '', '', 0, '', '')
    """,
  ])
  func `tell of their projects`(row: String) throws {
    let store = try Store(migrations: Schema.migrations)
    for _ in 1...2 {
      let projects = try store.transaction { transaction throws(APIError) in
        try transaction.execute("INSERT OR REPLACE INTO \(row)")
        try transaction.execute(
          "INSERT OR REPLACE INTO projects (project, config, switches) VALUES ('a', '', '')")
        return try Schema.projectIds(in: transaction)
      }
      #expect(projects == ["a", "p"])
    }
  }

  /// Without those of snapshots, which each server makes from the others when it starts.
  private func tables(in folder: URL) throws -> [String] {
    try rows(
      """
      SELECT coalesce(sql, name) FROM sqlite_master WHERE name NOT LIKE '%snapshot%'
      ORDER BY name
      """, in: folder)
  }

  private func mails(in folder: URL) throws -> [String] {
    try rows("SELECT recipient FROM messages", in: folder)
  }

  private func rows(_ sql: String, in folder: URL) throws -> [String] {
    let store = try Store(directory: folder.path, migrations: Schema.migrations)
    defer { store.close() }
    return try store.transaction { transaction throws(APIError) in
      try transaction.all(sql) { $0[0] as String }
    }
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    try withTemporaryFolder { path in
      let folder = URL(filePath: path)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try body(folder)
    }
  }
}
