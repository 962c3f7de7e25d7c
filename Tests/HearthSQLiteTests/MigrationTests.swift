import HearthErrors
import HearthSQLite
import HearthTestSupport
import Testing

@Suite struct `Migrations` {
  private let first = Migration("1 towns", sql: "CREATE TABLE towns (name TEXT NOT NULL)")
  /// A part of the same one, from another list.
  private let beside = Migration("1 towns", sql: "CREATE TABLE rivers (name TEXT NOT NULL)")
  private let second = Migration("2 mayors", sql: "ALTER TABLE towns ADD COLUMN mayor TEXT")
  private let third = Migration("3 rome", sql: "INSERT INTO towns (name) VALUES ('Rome')")
  private let broken = Migration("4 broken", sql: "INSERT INTO towns (name) VALUES (NULL)")

  @Test func `run once in a file, in their order`() throws {
    try withTemporaryFolder { directory throws in
      for _ in 1...3 {
        #expect(
          try rows(
            "SELECT name FROM towns", migrations: [first, second, third], directory: directory) == [
              "Rome"
            ])
      }
      #expect(
        try names([first, second, third], directory: directory) == [
          "1 towns", "2 mayors", "3 rome",
        ])
    }
  }

  @Test func `that are new run in a file that has had the others`() throws {
    try withTemporaryFolder { directory throws in
      #expect(try names([first], directory: directory) == ["1 towns"])
      #expect(
        try names([first, second, third], directory: directory) == [
          "1 towns", "2 mayors", "3 rome",
        ])
      #expect(
        try rows(
          "SELECT name FROM towns WHERE mayor IS NULL", migrations: [first, second, third],
          directory: directory)
          == ["Rome"])
    }
  }

  @Test(arguments: [true, false]) func `of one name are one`(inMemory: Bool) throws {
    try withTemporaryFolder { directory throws in
      let migrations = [first, second, beside]
      let place = inMemory ? nil : directory
      #expect(
        try rows("SELECT towns.name FROM towns, rivers", migrations: migrations, directory: place)
          == [])
      guard let place else { return }
      #expect(try names(migrations, directory: place) == ["1 towns", "2 mayors"])
    }
  }

  @Test func `leave no trace when one of them fails`() throws {
    try withTemporaryFolder { directory throws in
      #expect(try names([first], directory: directory) == ["1 towns"])
      let error = #expect(throws: StoreError.self) {
        try Store(directory: directory, migrations: [first, second, third, broken])
      }
      #expect(error?.description.contains("NOT NULL constraint failed: towns.name") == true)
      #expect(try names([first], directory: directory) == ["1 towns"])
      #expect(try rows("SELECT name FROM towns", migrations: [first], directory: directory) == [])
    }
  }

  @Test func `that are not known are refused, and the file is left alone`() throws {
    try withTemporaryFolder { directory throws in
      #expect(try names([first, second], directory: directory).count == 2)
      #expect(throws: StoreError.self) {
        try Store(directory: directory, migrations: [first, third])
      }
      #expect(try names([first, second], directory: directory) == ["1 towns", "2 mayors"])
      #expect(
        try rows("SELECT name FROM towns", migrations: [first, second], directory: directory) == [])
    }
  }

  private func names(_ migrations: [Migration], directory: String) throws -> [String] {
    try rows(
      "SELECT identifier FROM grdb_migrations ORDER BY rowid", migrations: migrations,
      directory: directory)
  }

  /// What a statement answers in a store that is opened for it.
  private func rows(
    _ sql: String, migrations: [Migration], directory: String?
  ) throws -> [String] {
    let store = try Store(directory: directory, migrations: migrations)
    defer { store.close() }
    return try store.transaction { transaction throws(APIError) in
      try transaction.all(sql) { $0[0] as String }
    }
  }
}
