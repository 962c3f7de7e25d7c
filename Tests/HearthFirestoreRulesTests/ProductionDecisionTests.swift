import HearthFirestoreRules
import Testing

/// Where production decides otherwise than the official emulator, as it was recorded.
@Suite struct `Rules as production decides` {
  private static let request = Request()

  private func isAllowed(
    _ rules: String, method: RuleMethod = .get, as answers: RuleAnswers = .production
  ) throws -> Bool {
    let path = ["docs", "d"]
    return try Ruleset(documents: rules).isAllowed(
      method, path: path, request: Self.request.value(method, path: path), resource: .null,
      database: Documents(before: ["users/u1": ["n": .int(1)]]), as: answers, budget: .testing()
    ).isAllowed
  }

  private func lists(_ rules: String, as answers: RuleAnswers = .production) throws -> Bool {
    try Ruleset(documents: rules).permitsQuery(
      RuleQuery(.collection(["docs"])), request: Self.request.value(.list, path: ["docs"]),
      database: Documents(), as: answers, budget: .testing()
    ).isAllowed
  }

  private static func lookUps(_ count: Int) -> String {
    (1...count).map { "!exists(/databases/$(database)/documents/x/u\($0))" }
      .joined(separator: " && ")
  }

  private static let missing = "/databases/$(database)/documents/users/nobody"

  @Test(arguments: [
    ("get(\(missing)) == null", true), ("get(\(missing)) != null", false),
    ("getAfter(\(missing)) == null", true), ("get(\(missing)).data.n == null", false),
    ("!('data' in get(\(missing)))", false),
    ("get(/databases/$(database)/documents/users/u1) == null", false),
    ("get(/databases/$(database)/documents/users/u1).data.n == 1", true),
  ])
  func `a document that is missing is null`(condition: String, isAllowed: Bool) throws {
    let rules = "match /docs/{id} { allow get: if \(condition); }"
    #expect(try self.isAllowed(rules) == isAllowed)
    if condition.contains("nobody") { #expect(try !self.isAllowed(rules, as: .emulator)) }
  }

  @Test(arguments: [10, 11, 15, 20, 21])
  func `a query looks up twenty documents`(count: Int) throws {
    let rules = "match /docs/{id} { allow list: if \(Self.lookUps(count)); }"
    #expect(try lists(rules) == (count <= 20))
    #expect(try lists(rules, as: .emulator) == (count <= 10))
  }

  @Test func `a read of one document looks up ten`() throws {
    for count in [10, 11] {
      let rules = "match /docs/{id} { allow get: if \(Self.lookUps(count)); }"
      #expect(try isAllowed(rules) == (count <= 10))
    }
  }

  @Test func `one look-up too many is an error of its allow`() throws {
    let rules = """
      match /docs/{id} { allow get: if \(Self.lookUps(11)); allow get: if true; }
      """
    #expect(try isAllowed(rules))
    #expect(try !isAllowed(rules, as: .emulator))
  }

  @Test func `math.isInfinite is an error`() throws {
    let rules = "match /docs/{id} { allow get: if math.isInfinite(1.0) == false; }"
    #expect(try !isAllowed(rules))
    #expect(try isAllowed(rules, as: .emulator))
  }

  @Test func `a path has at most twenty variables and a hundred segments`() throws {
    func file(_ segments: some Sequence<String>) -> String {
      "match /\(segments.joined(separator: "/")) { allow get; }"
    }
    let variables = (1...20).map { "{v\($0)}" }
    _ = try Ruleset(documents: file(variables.prefix(19)))
    let tooMany = #expect(throws: RuleSyntaxError.self) {
      try Ruleset(documents: file(variables))
    }
    #expect(
      tooMany?.message == "Maximum allowed amount of 20 match field variables is reached.")
    _ = try Ruleset(documents: file(repeatElement("a", count: 97)))
    let tooLong = #expect(throws: RuleSyntaxError.self) {
      try Ruleset(documents: file(repeatElement("a", count: 98)))
    }
    #expect(tooLong?.message == "Maximum allowed path length of 100 is reached.")
    let nested =
      "match /{a}/{b} { allow get; " + file(variables.prefix(18)) + " }"
    #expect(throws: RuleSyntaxError.self) { try Ruleset(documents: nested) }
  }
}
