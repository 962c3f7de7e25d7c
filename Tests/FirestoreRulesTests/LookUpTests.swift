import FirestoreRules
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
    #expect(rules.allows(.get, "admin/d", database: database))
    #expect(!rules.allows(.get, "admin/d", request: Request(uid: "bob"), database: database))
    #expect(!rules.allows(.get, "admin/d"))
    #expect(rules.allows(.get, "member/d", database: database))
    #expect(!rules.allows(.get, "member/d", request: Request(uid: "eve"), database: database))
    #expect(!rules.allows(.get, "member/d", request: Request(uid: nil), database: database))
  }

  @Test func `before and after the batch`() throws {
    let rules = try Ruleset(
      documents: """
        match /cities/{id} {
          function country() { return /databases/$(database)/documents/countries/x; }
          allow create: if !exists(country()) && existsAfter(country())
            && getAfter(country()).data.n == 1 && get(country()) == null;
        }
        """)
    #expect(
      rules.allows(.create, "cities/a", database: Documents(after: ["countries/x": ["n": .int(1)]]))
    )
    #expect(!rules.allows(.create, "cities/a"))
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

  @Test func `a thousand expressions may be evaluated`() throws {
    let condition = { (count: Int) in
      Array(repeating: "1 + 1 == 2", count: count).joined(separator: " && ")
    }
    #expect(try decision(on: condition(499)).isAllowed)
    let denied = try decision(on: condition(500)).description
    #expect(denied.contains("more than 1000 expressions"))
  }

  @Test func `calls nest twenty levels deep`() throws {
    let functions = { (depth: Int) in
      (1..<depth).map { "function f\($0)() { return f\($0 + 1)(); }" }.joined()
        + "function f\(depth)() { return true; } match /a/{b} { allow get: if f1(); }"
    }
    #expect(try Ruleset(documents: functions(20)).allows(.get, "a/b"))
    let denied = try Ruleset(documents: functions(21)).decides(.get, "a/b").description
    #expect(denied.contains("more than 20 calls within one another"))
  }

  @Test func `the limits hold for the whole request`() throws {
    let block = "match /a/{b} { allow get: if \(Self.lookUps(0..<6)); }"
    let other =
      "match /a/{c} { allow get: if \(Self.lookUps(6..<12)); } match /a/{d} { allow get; }"
    #expect(try !Ruleset(documents: block + other).allows(.get, "a/b"))
  }
}
