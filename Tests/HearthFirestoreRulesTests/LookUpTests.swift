import HearthFirestoreRules
import Synchronization
import Testing

@Suite struct LookUpTests {
  @Test func `a role is looked up`() throws {
    let rules = try Ruleset(
      documents: """
        function user() { return get(/databases/$(database)/documents/users/$(request.auth.uid)); }
        match /admin/{d} { allow get: if user().data.role == 'admin' && user().id == 'alice'; }
        match /member/{d} {
          allow get: if exists(/databases/(default)/documents/users/$(request.auth.uid));
        }
        """)
    let database = Documents(before: ["users/alice": ["role": "admin"], "users/bob": ["role": "x"]])
    #expect(rules.allows(.get, path: "admin/d", database: database))
    #expect(!rules.allows(.get, path: "admin/d", request: Request(uid: "bob"), database: database))
    #expect(!rules.allows(.get, path: "admin/d"))
    #expect(rules.allows(.get, path: "member/d", database: database))
    #expect(!rules.allows(.get, path: "member/d", request: Request(uid: "eve"), database: database))
    #expect(!rules.allows(.get, path: "member/d", request: Request(uid: nil), database: database))
  }

  @Test func `before and after the batch`() throws {
    let rules = try Ruleset(
      documents: """
        match /cities/{id} {
          function country() { return /databases/$(database)/documents/countries/x; }
          allow create: if !exists(country()) && existsAfter(country())
            && getAfter(country()).data.n == 1;
        }
        """)
    #expect(
      rules.allows(
        .create, path: "cities/a", database: Documents(after: ["countries/x": ["n": .int(1)]]))
    )
    #expect(!rules.allows(.create, path: "cities/a"))
  }

  @Test(arguments: [
    "exists('users/alice')", "exists(/users/alice)",
    "exists(/databases/other/documents/users/alice)",
    "exists(/databases/$(database)/documents/users)", "exists(/databases/$(database)/documents)",
  ])
  func `only documents of this database are looked up`(_ condition: String) throws {
    let database = Documents(before: ["users/alice": [:], "users": [:]])
    #expect(try !decision(on: condition, database: database).isAllowed)
    #expect(try !decision(on: "!\(condition)", database: database).isAllowed)
  }

  private static func lookUps(_ ids: some Sequence<Int>) -> String {
    ids.map { "exists(/databases/$(database)/documents/users/u\($0))" }.joined(separator: " || ")
  }

  @Test func `ten documents may be looked up, each any number of times`() throws {
    let ten = Self.lookUps(Array(0..<10) + Array(0..<10))
    #expect(try decision(on: "\(ten) || true").isAllowed)
    let eleven = try decision(on: "\(Self.lookUps(0..<11)) || true")
    #expect(eleven.description.contains("more than 10 documents looked up"))
  }

  @Test func `a document is fetched once`() throws {
    final class Counter: RuleDatabase {
      let count = Mutex(0)
      func document(_ path: [String], afterWrite: Bool) throws -> RuleValue? {
        count.withLock { $0 += 1 }
        return nil
      }
    }
    let counter = Counter()
    let rules = try Ruleset(
      documents: "match /a/{b} { allow get: if \(Self.lookUps([1, 1, 2, 1])); }")
    _ = rules.isAllowed(
      .get, path: ["a", "b"], request: .map([:]), resource: .null, database: counter)
    #expect(counter.count.withLock { $0 } == 2)
  }

  @Test func `a failing database denies`() throws {
    struct Broken: RuleDatabase, Error {
      func document(_ path: [String], afterWrite: Bool) throws -> RuleValue? { throw self }
    }
    let rules = try Ruleset(
      documents: "match /a/{b} { allow get: if \(Self.lookUps([1])) || true; }")
    let decision = rules.isAllowed(
      .get, path: ["a", "b"], request: .map([:]), resource: .null, database: Broken())
    #expect(decision.description.contains("the look-up failed"))
  }

  @Test func `what does not exist cannot be looked at`() throws {
    let path = "/databases/$(database)/documents/users/nobody"
    let decision = try decision(on: "get(\(path)) == null || getAfter(\(path)) == null")
    #expect(decision.description.contains("the document does not exist"))
  }

  /// Written so that no expression is too complex: 40 conditions in each function.
  private static func conditions(_ condition: String, count: Int) -> String {
    let functions = stride(from: 0, to: count, by: 40).enumerated().map { index, start in
      let body = Array(repeating: condition, count: min(40, count - start))
      return "function f\(index)() { return \(body.joined(separator: " && ")); }"
    }
    let calls = functions.indices.map { "f\($0)()" }.joined(separator: " && ")
    return functions.joined() + "match /docs/{id} { allow get: if \(calls); }"
  }

  /// Counted as the official emulator does: how many of these fit into a thousand.
  @Test(arguments: [
    ("true", 331), ("!false", 248), ("1 == 1", 199), ("[1, 2, 3] != null", 124),
    ("request.auth != null", 166), ("'a'.size() == 1", 166), ("{'a': 1} != null", 142),
    ("/a/b != null", 142), ("/a/$('b') != null", 142), ("debug(true)", 248), ("1 in [1]", 166),
    ("'abc'[0:1] != 1", 124), ("(true ? true : false)", 166), ("string(1) == '1'", 166),
    ("'a' is string", 199),
  ])
  func `a thousand expressions may be evaluated`(_ condition: String, _ count: Int) throws {
    let document = ["age": RuleValue.int(36)]
    let allowed = try Ruleset(documents: Self.conditions(condition, count: count))
    #expect(allowed.decides(.get, path: "docs/d", stored: document) == .allowed)
    let denied = try Ruleset(documents: Self.conditions(condition, count: count + 1))
      .decides(.get, path: "docs/d", stored: document).description
    #expect(denied.contains("more than 1000 expressions"), "\(denied)")
  }

  @Test func `what is not evaluated does not count`() throws {
    let list = "[" + Array(repeating: "1", count: 980).joined(separator: ",") + "]"
    #expect(try decision(on: "true || \(list) == \(list)").isAllowed)
    #expect(try !decision(on: "false || \(list) == \(list)").isAllowed)
  }

  @Test func `calls nest twenty levels deep`() throws {
    let functions = { (depth: Int) in
      (1..<depth).map { "function f\($0)() { return f\($0 + 1)(); }" }.joined()
        + "function f\(depth)() { return true; } match /a/{b} { allow get: if f1(); }"
    }
    #expect(try Ruleset(documents: functions(21)).allows(.get, path: "a/b"))
    let error = #expect(throws: RuleSyntaxError.self) { try Ruleset(documents: functions(22)) }
    #expect(error?.message == "Maximum allowed call depth of 20 is reached.")
  }

  @Test(arguments: [
    "function f() { let a = 1 / 0; return true; } match /a/{b} { allow get: if f(); }",
    "function f() { let a = 1 / 0; return a == 1 || true; } match /a/{b} { allow get: if f(); }",
    "function f(a) { return true; } match /a/{b} { allow get: if f(1 / 0); }",
    "function f(a) { return a == 1 || true; } match /a/{b} { allow get: if f(1 / 0); }",
  ])
  func `a variable that has failed matters only where it is read`(_ rules: String) throws {
    #expect(try Ruleset(documents: rules).allows(.get, path: "a/b"))
  }

  @Test func `the limits hold for the whole request`() throws {
    let block = "match /a/{b} { allow get: if \(Self.lookUps(0..<6)); }"
    let other =
      "match /a/{c} { allow get: if \(Self.lookUps(6..<12)); } match /a/{d} { allow get; }"
    #expect(try !Ruleset(documents: block + other).allows(.get, path: "a/b"))
  }
}
