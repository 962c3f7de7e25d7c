import Foundation
import HearthErrors
import HearthSQLite
import Testing

/// What is bound to a statement must come back from its rows.
@Suite struct `A statement` {
  private let store: Store

  init() throws { store = try Store() }

  private func echo<Value: Sendable>(
    _ value: (any Storable)?, read: (ResultRow) -> Value
  ) throws -> Value? {
    try store.transaction { transaction throws(APIError) in
      try transaction.first("SELECT ?", arguments: [value], read: read)
    }
  }

  @Test(arguments: [
    "", "a", "plain", "größer als fünfzehn Bytes", "a\0b", "\0", "\u{1}", "\u{1}0", "a\u{1}1\0",
    "e\u{301}", "👩‍👩‍👧", String(repeating: "x", count: 100_000),
  ])
  func `gives texts back to the letter`(text: String) throws {
    let back = try #require(try echo(text) { $0[0] as String })
    #expect(Array(back.utf8) == Array(text.utf8))
    #expect(try echo(text) { $0[0] as String? } == .some(.some(back)))
  }

  @Test(arguments: [Data(), Data([0]), Data([0, 1, 255]), Data(repeating: 7, count: 100_000)])
  func `gives bytes back`(bytes: Data) throws {
    #expect(try echo(bytes) { $0[0] as Data } == bytes)
  }

  @Test(arguments: [0, 1, -1, Int64.max, Int64.min])
  func `gives numbers back`(number: Int64) throws {
    #expect(try echo(number) { $0[0] as Int64 } == number)
    #expect(try echo(Int(number)) { $0[0] as Int } == Int(number))
  }

  @Test func `tells nothing from empty`() throws {
    #expect(try echo(nil) { $0[0] as String? } == .some(nil))
    #expect(try echo(nil) { $0[0] as Int64? } == .some(nil))
    #expect(try echo("") { $0[0] as String? } == .some(""))
    #expect(try echo(0) { $0[0] as Int64? } == .some(0))
    let types = try store.transaction { transaction throws(APIError) in
      try transaction.first(
        "SELECT typeof(?), typeof(?), typeof(?), typeof(?)", arguments: ["", Data(), nil, 0]
      ) {
        row in (0..<4).map { row[$0] as String }
      }
    }
    #expect(types == ["text", "blob", "null", "integer"])
  }

  /// SQLite would bind NULL to a placeholder without an argument, and forget one too many.
  @Test(arguments: [[], [1], [1, 2, 3]])
  func `with another number of arguments than placeholders refuses`(numbers: [Int]) throws {
    #expect(throws: APIError.self) {
      try store.transaction { transaction throws(APIError) in
        _ = try transaction.count("SELECT ? + ?", arguments: Arguments(numbers))
      }
    }
    let sum = try store.transaction { transaction throws(APIError) in
      try transaction.count("SELECT ? + ?", arguments: [1, 2])
    }
    #expect(sum == 3)
  }

  @Test func `that failed can be run again`() throws {
    let sql = "INSERT INTO tenants (project, tenant, record) VALUES (?, ?, ?)"
    for round in 0..<3 {
      #expect(throws: APIError.self) {
        try store.transaction { transaction throws(APIError) in
          try transaction.execute(sql, arguments: ["demo", "t", nil])
        }
      }
      try store.transaction { transaction throws(APIError) in
        try transaction.execute(sql, arguments: ["demo", "t\(round)", "{}"])
      }
    }
    let tenants = try store.transaction { transaction throws(APIError) in
      try transaction.count("SELECT COUNT(*) FROM tenants")
    }
    #expect(tenants == 3)
  }

  @Test func `can be run while its own rows are being read`() throws {
    let sql = "SELECT 1 UNION ALL SELECT 2"
    let pairs = try store.transaction { transaction throws(APIError) in
      try transaction.all(sql) { outer in
        let first: Int = outer[0]
        return try transaction.all(sql) { first * 10 + $0[0] }
      }
    }
    #expect(pairs == [[11, 12], [21, 22]])
  }

  /// Left half-way, a statement would hold the transaction open.
  @Test func `whose rows are not read to the end is at its start the next time`() throws {
    let sql = "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3"
    for _ in 0..<3 {
      let first = try store.transaction { transaction throws(APIError) in
        try transaction.first(sql) { $0[0] as Int }
      }
      #expect(first == 1)
    }
    let all = try store.transaction { transaction throws(APIError) in
      try transaction.all(sql) { $0[0] as Int }
    }
    #expect(all == [1, 2, 3])
  }
}
