import HearthErrors
import Testing

@testable import HearthSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct `A store in memory that has lost much` {
  private static let notes = [
    Migration("notes", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, body BLOB)")
  ]

  private func add(_ ids: ClosedRange<Int>, to store: Store) throws {
    try store.transaction { transaction throws(APIError) in
      for id in ids {
        let body = Data(repeating: UInt8(truncatingIfNeeded: id), count: 1 << 20)
        try transaction.execute(
          "INSERT INTO notes (id, body) VALUES (?, ?)", arguments: [id, body])
      }
    }
  }

  private func bodies(_ store: Store) throws -> [Int: Data] {
    try store.transaction { transaction throws(APIError) in
      let rows = try transaction.all("SELECT id, body FROM notes", arguments: []) {
        ($0[0] as Int, $0[1] as Data)
      }
      return Dictionary(rows, uniquingKeysWith: { $1 })
    }
  }

  /// Some stays, too much to be written together, and at both ends of the file.
  @Test func `keeps the rest as it is, also when the pages are used again`() throws {
    let store = try Store(migrations: Self.notes)
    try add(1...12, to: store)
    try add(13...52, to: store)
    try add(53...64, to: store)
    try store.transaction { transaction throws(APIError) in
      try transaction.execute("DELETE FROM notes WHERE id BETWEEN 13 AND 52")
    }
    store.giveMemoryBack()
    try add(100...110, to: store)
    store.giveMemoryBack()
    let bodies = try bodies(store)
    #expect(bodies.count == 35)
    for (id, body) in bodies {
      #expect(body == Data(repeating: UInt8(truncatingIfNeeded: id), count: 1 << 20))
    }
    let check = try store.transaction { transaction throws(APIError) in
      try transaction.all("PRAGMA integrity_check", arguments: []) { $0[0] as String }
    }
    #expect(check == ["ok"])
  }

  #if os(Linux)
    @Test func `lets the system have the pages of rows that go one by one`() throws {
      let connection = try MemoryFile.connect()
      let watch = FreePageWatch()
      try connection.execute(script: "CREATE TABLE notes (id INTEGER PRIMARY KEY, body BLOB)")
      for id in 1...256 {
        try connection.execute(script: "INSERT INTO notes VALUES (\(id), randomblob(1048576))")
      }
      let before = try FreePages.resident(in: connection)
      for id in 1...256 {
        try connection.execute(script: "DELETE FROM notes WHERE id = \(id)")
        try watch.afterCommit(on: connection)
      }
      #expect(before > 256 << 20)
      #expect(try FreePages.resident(in: connection) < 65 << 20)
      #expect(try connection.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `lets the system have the free pages where they are`() throws {
      let connection = try MemoryFile.connect()
      try connection.execute(script: "CREATE TABLE notes (id INTEGER PRIMARY KEY, body BLOB)")
      for id in 1...60 {
        try connection.execute(script: "INSERT INTO notes VALUES (\(id), randomblob(1048576))")
      }
      let before = try FreePages.resident(in: connection)
      try connection.execute(script: "DELETE FROM notes WHERE id BETWEEN 21 AND 60")
      try MemoryFile.giveBack(connection)
      let after = try FreePages.resident(in: connection)
      #expect(before > 60 << 20)
      #expect(after < 24 << 20)
      #expect(try connection.texts("SELECT count(*) FROM notes") == ["20"])
    }
  #endif
}
