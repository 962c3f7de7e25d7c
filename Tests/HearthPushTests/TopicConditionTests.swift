import Testing

@testable import HearthPush

struct TopicConditionTests {
  @Test(arguments: [
    ("'a' in topics", ["a"], true),
    ("'a' in topics && 'b' in topics", ["a"], false),
    ("'a' in topics || 'b' in topics", ["b"], true),
    ("!('a' in topics)", [], true),
    ("'a' in topics && ('b' in topics || 'c' in topics)", ["a", "c"], true),
    ("\"a\" in topics&&!\"b\" in topics", ["a"], true),
  ])
  func `A condition holds`(_ text: String, _ topics: [String], _ holds: Bool) throws {
    let condition = try #require(TopicCondition(text))
    #expect(condition.holds(for: Set(topics)) == holds)
  }

  @Test func `No operator binds more than another`() throws {
    // With precedence of && this would be true.
    let condition = try #require(
      TopicCondition("'a' in topics || 'b' in topics && 'c' in topics"))
    #expect(!condition.holds(for: ["a"]))
  }

  @Test(arguments: [
    "", "'a'", "'a' in topics &&", "('a' in topics", "'a b' in topics", "a in topics",
    "'a' in topics 'b' in topics",
    (1...6).map { "'\($0)' in topics" }.joined(separator: " || "),
    String(repeating: "!", count: 5_000) + "'a' in topics",
    String(repeating: "(", count: 1_900) + "'a' in topics",
  ])
  func `What is not a condition is refused`(_ text: String) {
    #expect(TopicCondition(text) == nil)
  }
}
