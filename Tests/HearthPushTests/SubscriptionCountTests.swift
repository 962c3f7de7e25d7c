import HearthErrors
import HearthSQLite
import Testing

@testable import HearthPush

@Suite struct `The count of subscriptions` {
  private let store: Store

  init() throws { store = try Store(migrations: PushDevice.migrations) }

  private func counts(after statements: String...) throws -> [String] {
    try store.transaction { transaction throws(APIError) in
      for statement in statements { try transaction.execute(statement) }
      let rows = try transaction.all(
        "SELECT project, subscriptions FROM push_topic_counts ORDER BY project"
      ) { "\($0[0] as String) \($0[1] as Int)" }
      let counted = try transaction.all(
        "SELECT project, count(*) FROM push_topics GROUP BY project ORDER BY project"
      ) { "\($0[0] as String) \($0[1] as Int)" }
      #expect(rows == counted)
      return rows
    }
  }

  @Test func `follows every change of them`() throws {
    let row = "INTO push_topics VALUES ('a', 'news', 't', 0)"
    #expect(try counts() == [])
    #expect(try counts(after: "INSERT \(row)", "INSERT OR IGNORE \(row)") == ["a 1"])
    #expect(
      try counts(
        after: "INSERT INTO push_topics VALUES ('a', 'b', 't', 0), ('b', 'b', 't', 0)") == [
          "a 2", "b 1",
        ])
    // As a fork does.
    #expect(
      try counts(
        after:
          "INSERT INTO push_topics SELECT 'c', topic, token, 0 FROM push_topics WHERE project = 'a'"
      )
        == ["a 2", "b 1", "c 2"])
    #expect(
      try counts(after: "DELETE FROM push_topics WHERE project = 'a' AND topic = 'b'")
        == ["a 1", "b 1", "c 2"])
    #expect(
      try counts(
        after: "DELETE FROM push_topics WHERE project = 'c'",
        "DELETE FROM push_topics WHERE project = 'b'") == ["a 1"])
  }
}
