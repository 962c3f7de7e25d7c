import HearthFirestoreRules
import Testing

@Suite struct QueryTests {
  private func permits(
    _ rules: String, source: RuleQuery.Source = .collection(["posts"]),
    constraints: [FieldConstraint] = [], request: Request = Request(),
    database: Documents = Documents()
  ) throws -> Bool {
    try Ruleset(documents: rules).permitsQuery(
      RuleQuery(source, where: constraints), request: request.value(.list, path: ["posts"]),
      database: database
    ).isAllowed
  }

  private func permits(condition: String, _ constraints: FieldConstraint...) throws -> Bool {
    try permits(
      "match /posts/{id} { allow list: if \(condition); }", source: .collection(["posts"]),
      constraints: constraints)
  }

  private static let owner = FieldConstraint(["owner"], condition: .equal("alice"))

  @Test func `a query is allowed only as far as its constraints prove the rule`() throws {
    let condition = "resource.data.owner == request.auth.uid"
    #expect(try permits(condition: condition, Self.owner))
    #expect(try !permits(condition: condition))
    #expect(
      try !permits(condition: condition, FieldConstraint(["owner"], condition: .equal("bob"))))
    #expect(
      try !permits(condition: condition, FieldConstraint(["other"], condition: .equal("alice"))))
  }

  @Test(arguments: [
    "resource.data.owner == 'alice' && request.auth != null", "resource.data.x == 1 || true",
    "true || resource.data.x == 1", "!(false && resource.data.x)", "'owner' in resource.data",
    "resource != null", "resource.data != null", "resource.data is map", "resource is map",
    "resource.data['owner'].size() == 5", "resource.data.get('owner', '') == 'alice'",
    "resource.data.owner.matches('a.*')", "isOwner(resource.data)",
    "!(resource.data.owner == 'bob')",
    "resource.data.owner == 'alice' ? true : resource.data.x == 1",
    "exists(/databases/$(database)/documents/users/$(resource.data.owner))",
    "/a/$(resource.data.owner) == /a/alice", "[resource.data.owner] == ['alice']",
    "{'o': resource.data.owner}.o == 'alice'", "resource.data.owner[0:1] == 'a'",
  ])
  func `proven for documents of one owner`(_ condition: String) throws {
    let rules = """
      function isOwner(data) { let owner = data.owner; return owner == request.auth.uid; }
      match /posts/{id} { allow list: if \(condition); }
      """
    let database = Documents(before: ["users/alice": [:]])
    #expect(
      try permits(
        rules, source: .collection(["posts"]), constraints: [Self.owner], database: database))
  }

  @Test func `of a list that is too long nothing is concluded`() throws {
    for count in [900, 1100] {
      let list = FieldConstraint(
        ["l"], condition: .equal(.list(Array(repeating: .string("a"), count: count))))
      #expect(try permits(condition: "resource.data.l[0] == 'a'", list) == (count < 1000))
    }
  }

  @Test(arguments: [
    "resource.data.m == {'a': 'x', 'n': 1}", "resource.data.m.a == 'x'",
    "resource.data.m['a'] == 'x'", "resource.data.m.n == 1", "resource.data.m.n != 2",
    "resource.data.l == ['a']", "resource.data.l.hasOnly(['a'])", "resource.data.l.size() == 1",
    "resource.data.l[0] == 'a'", "'a' in resource.data.l",
  ])
  func `proven where a query fixes a whole map or list`(_ condition: String) throws {
    let map = FieldConstraint(["m"], condition: .equal(.map(["a": .string("x"), "n": .int(1)])))
    let list = FieldConstraint(["l"], condition: .equal(.list([.string("a")])))
    let isProven = try permits(condition: condition, map, list)
    // As with `==` in a list, 1 and 1.0 differ in a map, and the query finds both.
    #expect(isProven == !condition.contains("'n': 1"))
  }

  @Test(arguments: [
    "resource.data.x == 1", "resource.data.x != 1", "!(resource.data.x == 1)",
    "resource.data.x == resource.data.x", "resource.data.x is int", "!(resource.data.x is int)",
    "'x' in resource.data", "!('x' in resource.data)", "id == 'a'", "id != 'a'",
    "resource.id == id",
    "resource.__name__ == /a/b", "resource.data.keys().hasOnly(['owner'])",
    "resource.data.x == null",
    "resource.data.x != null", "resource.data.get('x', 1) == 1", "resource.data.size() > 0",
    "resource.data.x == 1 ? true : true", "exists(/databases/$(database)/documents/a/$(id))",
    "resource.data == null", "resource == null", "request.resource.data.x == 1",
    "resource.data.owner",
    "resource.data.x in [1]", "!(resource.data.x in [1])", "[resource.data.x].size() == 1",
  ])
  func `not proven for documents of one owner`(_ condition: String) throws {
    #expect(try !permits(condition: condition, Self.owner))
  }

  @Test func `one of several values`() throws {
    let visibility = FieldConstraint(["visibility"], condition: .oneOf(["public", "shared"]))
    #expect(
      try permits(condition: "resource.data.visibility in ['public', 'shared', 'x']", visibility))
    #expect(try !permits(condition: "resource.data.visibility in ['public']", visibility))
    #expect(try !permits(condition: "resource.data.visibility == 'public'", visibility))
    #expect(try permits(condition: "resource.data.visibility != 'private'", visibility))
    let either = "resource.data.visibility == 'public' ? id is string || true : 1 == 1"
    #expect(try permits(condition: either, visibility))
    #expect(try permits(condition: "!(resource.data.visibility in ['private'])", visibility))
  }

  @Test(arguments: [
    ("resource.data.n >= 5", true), ("resource.data.n > 4", true), ("resource.data.n > 5", false),
    ("5 <= resource.data.n", true), ("resource.data.n < 10", true), ("resource.data.n <= 10", true),
    ("resource.data.n < 9", false), ("resource.data.n != 4", true), ("resource.data.n != 10", true),
    ("resource.data.n != 5", false), ("resource.data.n is number", true),
    ("resource.data.n is int", false), ("!(resource.data.n is string)", true),
    ("resource.data.n != 'a'", true), ("!(resource.data.n < 5)", true),
    ("resource.data.n < 'a'", false),
    ("!(resource.data.n >= 10)", true), ("!(resource.data.n in [1, 'a'])", true),
    ("resource.data.n != null", true), ("'n' in resource.data", true),
  ])
  func `a range from 5 to below 10`(_ condition: String, _ isPermitted: Bool) throws {
    let isDecided = try permits(
      condition: condition, FieldConstraint(["n"], condition: .greaterThanOrEqual(.int(5))),
      FieldConstraint(["n"], condition: .lessThan(.int(10))))
    #expect(isDecided == isPermitted)
  }

  @Test(arguments: [
    ("resource.data.n > 5", true), ("resource.data.n >= 5", true), ("resource.data.n > 6", false),
    ("resource.data.n != 5", true), ("resource.data.n <= 8", true), ("resource.data.n < 8", false),
    ("resource.data.n != 8", false),
  ])
  func `a range from above 5 to 8`(_ condition: String, _ isPermitted: Bool) throws {
    let isDecided = try permits(
      condition: condition, FieldConstraint(["n"], condition: .greaterThan(.int(5))),
      FieldConstraint(["n"], condition: .lessThanOrEqual(.int(8))))
    #expect(isDecided == isPermitted)
  }

  @Test func `what a query takes for equal may differ in type`() throws {
    let one = FieldConstraint(["n"], condition: .equal(.int(1)))
    #expect(try permits(condition: "resource.data.n == 1", one))
    #expect(try permits(condition: "resource.data.n + 1 == 2", one))
    #expect(try permits(condition: "resource.data.n is number", one))
    #expect(try !permits(condition: "resource.data.n is int", one))
    #expect(try !permits(condition: "string(resource.data.n) == '1'", one))
    let list = FieldConstraint(["n"], condition: .equal(.list([.int(1)])))
    #expect(try !permits(condition: "resource.data.n[0] is int", list))
  }

  @Test func `arrays and unequal values`() throws {
    let member = FieldConstraint(["members"], condition: .arrayContains("alice"))
    #expect(try permits(condition: "request.auth.uid in resource.data.members", member))
    #expect(try permits(condition: "resource.data.members.hasAny(['alice', 'bob'])", member))
    #expect(try permits(condition: "resource.data.members.hasAll(['alice'])", member))
    #expect(try permits(condition: "resource.data.members is list", member))
    #expect(try !permits(condition: "'bob' in resource.data.members", member))
    #expect(try !permits(condition: "resource.data.members.hasOnly(['alice'])", member))
    let either = FieldConstraint(["members"], condition: .arrayContainsAny(["alice", "bob"]))
    #expect(try permits(condition: "resource.data.members.hasAny(['alice', 'bob', 'c'])", either))
    #expect(try !permits(condition: "resource.data.members.hasAny(['alice'])", either))
    let unequal = FieldConstraint(["state"], condition: .notEqual("draft"))
    #expect(try permits(condition: "resource.data.state != 'draft'", unequal))
    #expect(try permits(condition: "resource.data.state != null", unequal))
    #expect(try !permits(condition: "resource.data.state != 'x'", unequal))
  }

  @Test func `nested fields`() throws {
    let role = FieldConstraint(["roles", "alice"], condition: .equal("owner"))
    #expect(try permits(condition: "resource.data.roles[request.auth.uid] == 'owner'", role))
    #expect(try permits(condition: "resource.data.roles.alice == 'owner'", role))
    #expect(try permits(condition: "resource.data.get(['roles', 'alice'], '') == 'owner'", role))
    #expect(try permits(condition: "request.auth.uid in resource.data.roles", role))
    #expect(try permits(condition: "resource.data.roles is map", role))
    #expect(try !permits(condition: "'bob' in resource.data.roles", role))
  }

  @Test func `the limit of the query`() throws {
    let rules = "match /posts/{id} { allow list: if request.query.limit <= 10; }"
    #expect(try permits(rules, request: Request(query: ["limit": .int(10)])))
    #expect(try !permits(rules, request: Request(query: ["limit": .int(11)])))
    #expect(try !permits(rules))
  }

  @Test func `a query is decided by list alone`() throws {
    #expect(try !permits("match /posts/{id} { allow get; }"))
    #expect(try permits("match /posts/{id} { allow read; }"))
    #expect(try !permits("match /posts/a { allow read; }"))
  }

  @Test func `wildcards above the collection are known`() throws {
    let rules = "match /users/{uid}/posts/{id} { allow list: if uid == request.auth.uid; }"
    #expect(try permits(rules, source: .collection(["users", "alice", "posts"])))
    #expect(try !permits(rules, source: .collection(["users", "bob", "posts"])))
  }

  @Test func `a fixed name fixes the wildcard`() throws {
    let name = FieldConstraint(
      ["__name__"],
      condition: .equal(.path(["databases", "(default)", "documents", "posts", "alice"])))
    #expect(try permits(condition: "id == request.auth.uid && resource.id == id", name))
    #expect(try permits(condition: "resource.__name__[4] == id", name))
  }

  @Test func `a collection group needs a rule for every depth`() throws {
    let group = RuleQuery.Source.collectionGroup("posts", under: [])
    #expect(try permits("match /{path=**}/posts/{id} { allow read; }", source: group))
    #expect(try permits("match /{document=**} { allow read; }", source: group))
    #expect(try !permits("match /posts/{id} { allow read; }", source: group))
    #expect(try !permits("match /users/{uid}/posts/{id} { allow read; }", source: group))
    #expect(try !permits("match /{path=**}/comments/{id} { allow read; }", source: group))
    #expect(
      try !permits("match /{path=**}/posts/{id} { allow read: if path == /a; }", source: group))
    let below = RuleQuery.Source.collectionGroup("posts", under: ["users", "alice"])
    #expect(
      try permits("match /users/{u}/{rest=**} { allow list: if u == 'alice'; }", source: below))
    #expect(
      try !permits("match /users/{u}/{rest=**} { allow list: if u == 'alice'; }", source: group))
  }

  private static let everything = RuleQuery.Source.all(under: [], atAnyDepth: true)

  @Test(
    arguments: [
      ("{all=**}", .collection(["posts"]), true),
      ("{all=**}", .collectionGroup("posts", under: []), true),
      ("{all=**}", Self.everything, true), ("posts/{id=**}", .collection(["posts"]), true),
      ("posts/{id=**}", .collectionGroup("posts", under: []), false),
      ("posts/{id}", .collectionGroup("posts", under: []), false),
      ("{a}/{b}", Self.everything, false),
    ] as [(String, RuleQuery.Source, Bool)])
  func `version 1 knows collection groups below everything only`(
    _ path: String, _ source: RuleQuery.Source, _ isPermitted: Bool
  ) throws {
    let rules = try Ruleset(
      source: "service cloud.firestore { match /databases/{d}/documents/\(path) { allow read; } }")
    let decision = rules.permitsQuery(
      RuleQuery(source), request: .map([:]), database: Documents())
    #expect(decision.isAllowed == isPermitted)
  }

  @Test func `a query over all collections needs a rule for all of them`() throws {
    #expect(try permits("match /{path=**} { allow read; }", source: Self.everything))
    #expect(try permits("match /{path=**}/{c}/{d} { allow read; }", source: Self.everything))
    #expect(
      try !permits("match /{path=**} { allow read: if path != /a; }", source: Self.everything))
    #expect(try !permits("match /posts/{id} { allow read; }", source: Self.everything))
    #expect(try !permits("match /{c}/{d} { allow read; }", source: Self.everything))
    let direct = RuleQuery.Source.all(under: ["users", "alice"], atAnyDepth: false)
    #expect(
      try permits("match /users/{uid}/{c}/{d} { allow read: if uid == 'alice'; }", source: direct))
    #expect(try !permits("match /users/{uid}/posts/{d} { allow read; }", source: direct))
  }

  @Test func `the keys of which the query knows`() throws {
    #expect(try permits(condition: "resource.data.keys().hasAll(['owner'])", Self.owner))
    #expect(try permits(condition: "resource.data.keys().hasAny(['owner', 'x'])", Self.owner))
    #expect(try permits(condition: "'owner' in resource.data.keys()", Self.owner))
    #expect(try permits(condition: "resource.data.keys() is list", Self.owner))
    #expect(try !permits(condition: "resource.data.keys().hasAll(['owner', 'x'])", Self.owner))
    #expect(try !permits(condition: "'x' in resource.data.keys()", Self.owner))
    #expect(try !permits(condition: "resource.data.keys().hasOnly(['owner'])", Self.owner))
    #expect(try !permits(condition: "resource.data.keys().size() == 1", Self.owner))
    #expect(try !permits(condition: "resource.data.keys().hasAll('owner')", Self.owner))
    #expect(try !permits(condition: "resource.data.owner.keys().hasAll([])", Self.owner))
  }

  @Test func `the documents that a query names`() {
    let names = ["posts/a", "posts/b"].map { path in
      RuleValue.path(
        ["databases", "(default)", "documents"] + path.split(separator: "/").map(String.init))
    }
    let query = { (condition: FieldConstraint.Condition) in
      RuleQuery(
        .collection(["posts"]),
        where: [Self.owner, FieldConstraint(["__name__"], condition: condition)]
      )
      .namedDocuments(in: "(default)")
    }
    #expect(query(.equal(names[0])) == [["posts", "a"]])
    #expect(query(.oneOf(names)) == [["posts", "a"], ["posts", "b"]])
    #expect(query(.greaterThan(names[0])) == nil)
    #expect(query(.equal("posts/a")) == nil)
  }

  /// The language rounds large ints beside floats and orders strings by UTF-16; queries do neither.
  @Test(arguments: [
    (RuleValue.float(9_007_199_254_740_992), "resource.data.n > 9007199254740992.0"),
    (.string("\u{E000}"), "resource.data.n > '\u{E000}'"),
  ])
  func `a bound proves nothing where queries order otherwise`(
    _ bound: RuleValue, _ condition: String
  ) throws {
    #expect(
      try !permits(condition: condition, FieldConstraint(["n"], condition: .greaterThan(bound))))
  }

  @Test func `a denied query names its line`() throws {
    let decision = try Ruleset(
      documents: "match /posts/{id} { allow list: if resource.data.x == 1; }"
    )
    .permitsQuery(
      RuleQuery(.collection(["posts"])), request: .map([:]), database: Documents())
    #expect(decision.description == "denied: L4:25 not true of all documents of the query")
  }
}
