import HearthFirestoreRules
import Testing

/// What evaluation may cost is bounded, whatever the rules are. Each of these would take minutes or
/// gigabytes without that.
@Suite struct BudgetTests {
  private static func doubling(_ start: String, step: String) -> String {
    """
    function g(a) {
      let b = \(step.replacing("x", with: "a")); let c = \(step.replacing("x", with: "b"));
      let d = \(step.replacing("x", with: "c")); let e = \(step.replacing("x", with: "d"));
      let f = \(step.replacing("x", with: "e")); let g = \(step.replacing("x", with: "f"));
      let h = \(step.replacing("x", with: "g")); return \(step.replacing("x", with: "h"));
    }
    function big() { return g(g(g(g(\(start))))); }
    """
  }

  @Test(arguments: [
    ("'aaaaaaaaaa'", "x + x", "big().size() > 0"), ("[1]", "x.concat(x)", "big().size() > 0"),
    ("['a']", "[x, x]", "big() == big()"), ("['a']", "[x, x]", "big() in [big()]"),
    ("['a']", "[x, x]", "[big()].toSet().size() == 1"),
    ("['a']", "[x, x]", "big().hasAny([big()])"),
    ("{'a': 1}", "{'l': x, 'r': x}", "big() == big()"),
    ("{'a': 1}", "{'l': x, 'r': x}", "{'a': big()}.diff({'a': big()}).changedKeys().size() == 0"),
    ("'aaaaaaaaaa'", "[x, x].join(x)", "big().size() > 0"),
    ("'aaaaaaaaaa'", "x.replace('a', 'aa')", "big().size() > 0"),
    ("'aaaaaaaaaa'", "x.replace('a*', x)", "big().size() > 0"),
    ("'aaaaaaaaaa'", "(x + x).split('').join('a')", "big().size() > 0"),
    ("'aaaaaaaaaa'", "x + x", "hashing.md5(big()).size() == 16"),
    ("'aaaaaaaaaa'", "(x + x).upper().trim()", "big().size() > 0"),
  ])
  func `ends a request`(_ start: String, _ step: String, _ condition: String) throws {
    let rules = try Ruleset(
      documents: Self.doubling(start, step: step)
        + "match /a/{b} { allow get: if \(condition) || true; }"
    )
    let decision = rules.isAllowed(
      .get, path: ["a", "b"], request: .map([:]), resource: .null, database: Documents(),
      budget: RuleBudget(limit: 200_000))
    #expect(
      decision.description.contains("more than the rules budget of 200000 units of work"),
      "\(decision)")
  }

  @Test func `ends many searches`() throws {
    let search = "resource.data.s.matches('(a|aa|aaa|b)*(a|aa|aaa|b)*(a|aa|aaa|b)*c?')"
    let rules = try Ruleset(
      documents: "match /a/{b} { allow get: if "
        + Array(repeating: search, count: 60).joined(separator: " && ") + "; }")
    let text = RuleValue.string(String(repeating: "a", count: 100_000))
    let decision = rules.isAllowed(
      .get, path: ["a", "b"], request: .map([:]),
      resource: .document(at: ["a", "b"], data: ["s": text]), database: Documents(),
      budget: RuleBudget(limit: 1_000_000))
    #expect(decision.description.contains("rules budget of 1000000"))
  }

  /// Each match is a search of its own.
  @Test(arguments: ["s.replace('a', 'b') != ''", "s.split('a').size() > 0"])
  func `is spent on each match`(_ condition: String) throws {
    let rules = try Ruleset(
      documents: """
        function f(s) { return \(condition); }
        match /a/{b} { allow get: if f(resource.data.s); }
        """)
    let text = RuleValue.string(String(repeating: "a", count: 10_000))
    let decision = rules.isAllowed(
      .get, path: ["a", "b"], request: .map([:]),
      resource: .document(at: ["a", "b"], data: ["s": text]), database: Documents(),
      budget: RuleBudget(limit: 160_000))
    #expect(decision.description.contains("rules budget of 160000"))
  }

  /// Each takes milliseconds with a text of a megabyte; these are shorter, and the budget with them.
  @Test(arguments: [
    "s[0] == 'e'", "s[0:1] == 'e'", "s <= s", "s == s", "s in [s]", "[s].toSet().size() == 1",
    "!(s in {'a': 1})", "{'a': 1}.get(s, 0) == 0", "{'a': 1}.get([s], 0) == 0", "{s: 1} != null",
    "float(n) > 1.0", "path(p) != null", "hashing.crc32(s) != null", "s.upper() != ''",
    "!exists(path('/databases/(default)/documents/' + p))", "s.matches('.*')",
    "m.keys().size() > 0", "m == m", "m.diff({}).addedKeys().size() > 0", "[d].toSet() != null",
  ])
  func `is spent on what is large`(_ condition: String) throws {
    let rules = try Ruleset(
      documents: """
        function f(s, n, p, m, d) {
          return \(Array(repeating: condition, count: 80).joined(separator: " && "));
        }
        match /a/{b} {
          allow get: if f(resource.data.s, resource.data.n, resource.data.p, resource.data.m,
            resource.data.m.diff({})) || true;
        }
        """)
    let keys = (0..<500).map { ("key number \($0)", RuleValue.int(1)) }
    let data: [String: RuleValue] = [
      "s": .string(String(repeating: "e\u{301}", count: 3300)),
      "n": .string(String(repeating: "1", count: 10_000)),
      "p": .string(String(repeating: "a/", count: 5000) + "a/a"),
      "m": .map(Dictionary(uniqueKeysWithValues: keys)),
    ]
    let decision = rules.isAllowed(
      .get, path: ["a", "b"], request: .map([:]),
      resource: .document(at: ["a", "b"], data: data), database: Documents(),
      budget: RuleBudget(limit: 39_000))
    #expect(decision.description.contains("more than the rules budget"), "\(decision)")
  }

  @Test func `is spent on blocks that do not match`() throws {
    let blocks = (0..<500).map { "match /x\($0)/{b} { allow get; }" }.joined(separator: "\n")
    let decision = try Ruleset(documents: blocks).isAllowed(
      .get, path: ["a", "b"], request: .map([:]), resource: .null, database: Documents(),
      budget: RuleBudget(limit: 1000))
    #expect(decision.description.contains("more than the rules budget"), "\(decision)")
  }

  @Test func `is of all documents of a request`() throws {
    let rules = try Ruleset(documents: "match /a/{b} { allow get: if 1 == 1; }")
    let budget = RuleBudget(limit: 1000)
    let decisions = (0..<100).map { _ in
      rules.isAllowed(
        .get, path: ["a", "b"], request: .map([:]), resource: .null, database: Documents(),
        budget: budget)
    }
    #expect(decisions.first == .allowed)
    #expect(decisions.last?.description.contains("rules budget of 1000 units") == true)
  }

  @Test func `stops after a portion, which is not a refusal`() throws {
    let rules = try Ruleset(documents: "match /a/{b} { allow get: if 1 == 1; }")
    let budget = RuleBudget(limit: 1000, spent: 100, portion: 50)
    func decide() -> RuleDecision {
      rules.isAllowed(
        .get, path: ["a", "b"], request: .map([:]), resource: .null, database: Documents(),
        budget: budget)
    }
    #expect(decide() == .allowed)
    let cost = budget.spent - 100
    while !budget.isPaused { _ = decide() }
    #expect((150...150 + cost).contains(budget.spent))
    #expect(decide() != .allowed)
  }

  @Test func `takes what was spent elsewhere from the whole, not from the portion`() throws {
    let rules = try Ruleset(documents: "match /a/{b} { allow get: if 1 == 1; }")
    let budget = RuleBudget(limit: 1000, portion: 50)
    budget.charge(900)
    let decision = rules.isAllowed(
      .get, path: ["a", "b"], request: .map([:]), resource: .null, database: Documents(),
      budget: budget)
    #expect(decision == .allowed && !budget.isPaused)
    budget.charge(200)
    #expect(budget.spent > 1000)
    #expect(
      rules.isAllowed(
        .get, path: ["a", "b"], request: .map([:]), resource: .null, database: Documents(),
        budget: budget) != .allowed)
    #expect(!budget.isPaused)
  }

  @Test func `is more than a large document needs`() throws {
    let text = RuleValue.string(String(repeating: "word ", count: 200_000))
    let rules = try Ruleset(
      documents: """
        match /a/{b} {
          allow get: if resource.data.diff(resource.data).affectedKeys().size() == 0
            && resource.data.s.size() <= 1000000 && resource.data.s == resource.data.s
            && resource.data.s.matches('[a-z ]+') && resource.data.keys().hasOnly(['s']);
        }
        """)
    #expect(rules.decides(.get, path: "a/b", stored: ["s": text]) == .allowed)
  }

  @Test func `debug writes a part of what is large`() throws {
    let rules = try Ruleset(
      documents: Self.doubling("['a']", step: "[x, x]")
        + "match /a/{b} { allow get: if debug(big()).size() == 0; }")
    let description = rules.decides(.get, path: "a/b").description
    #expect(description.contains("debug: [["))
    #expect(description.utf8.count < 2000)
  }

  @Test func `debug writes twenty notes`() throws {
    let notes = Array(repeating: "debug(true)", count: 60).joined(separator: " && ")
    let rules = try Ruleset(documents: "match /a/{b} { allow get: if \(notes) && false; }")
    let description = rules.decides(.get, path: "a/b").description
    #expect(description.split(separator: "debug:").count == 21)
  }
}
