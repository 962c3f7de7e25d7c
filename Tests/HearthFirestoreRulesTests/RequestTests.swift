import HearthFirestoreRules
import Testing

@Suite struct RequestTests {
  @Test func `only the owner reads and writes`() throws {
    let rules = try Ruleset(
      documents: """
        match /users/{uid} {
          allow read, write: if request.auth != null && request.auth.uid == uid;
        }
        """)
    for method in RuleMethod.allCases {
      #expect(rules.allows(method, path: "users/alice"))
      #expect(!rules.allows(method, path: "users/bob"))
      #expect(!rules.allows(method, path: "users/alice", request: Request(uid: nil)))
      #expect(!rules.allows(method, path: "users/alice/posts/1"))
      #expect(!rules.allows(method, path: "other/alice"))
    }
  }

  @Test func `a word after allow covers its methods`() throws {
    let rules = try Ruleset(
      documents: """
        match /r/{d} { allow read; }
        match /w/{d} { allow write: if true; }
        match /some/{d} { allow get, update, delete; }
        """)
    let allowed = { (collection: String) in
      RuleMethod.allCases.filter { rules.allows($0, path: "\(collection)/d") }
    }
    #expect(allowed("r") == [.get, .list])
    #expect(allowed("w") == [.create, .update, .delete])
    #expect(allowed("some") == [.get, .update, .delete])
    #expect(allowed("none") == [])
  }

  @Test func `any allow of any matching block is enough`() throws {
    let rules = try Ruleset(
      documents: """
        match /{document=**} { allow get: if false; }
        match /docs/{id} { allow get: if id == 'a'; allow get: if id == 'b'; }
        match /docs/b { allow list; }
        """)
    #expect(rules.allows(.get, path: "docs/a"))
    #expect(rules.allows(.get, path: "docs/b"))
    #expect(!rules.allows(.get, path: "docs/c"))
    #expect(rules.allows(.list, path: "docs/b"))
  }

  @Test func `a recursive wildcard binds a path`() throws {
    let rules = try Ruleset(
      documents: """
        match /files/{rest=**} { allow get: if rest[0] == 'a' && rest == /a/b/c; }
        match /{prefix=**}/posts/{post} { allow list: if prefix is path && post == 'p'; }
        """)
    #expect(rules.allows(.get, path: "files/a/b/c"))
    #expect(!rules.allows(.get, path: "files/a"))
    #expect(rules.allows(.list, path: "posts/p"))
    #expect(rules.allows(.list, path: "a/b/c/d/posts/p"))
    #expect(!rules.allows(.list, path: "a/b/posts/q"))
  }

  @Test(arguments: [("'1'", false), ("'2'", true)])
  func `with version 2 a recursive wildcard may be empty`(_ version: String, _ isAllowed: Bool)
    throws
  {
    let rules = try Ruleset(
      source: """
        rules_version = \(version);
        service cloud.firestore { match /databases/{database}/documents/a/b/{rest=**} { allow get; } }
        """)
    #expect(rules.allows(.get, path: "a/b") == isAllowed)
    #expect(rules.allows(.get, path: "a/b/c/d"))
  }

  @Test func `without rules_version it is version 1`() throws {
    let rules = try Ruleset(
      source: "service cloud.firestore { match /databases/{d}/documents/a/b/{r=**} { allow get; } }"
    )
    #expect(!rules.allows(.get, path: "a/b"))
  }

  @Test func `the database is part of the path`() throws {
    let rules = try Ruleset(
      source: """
        rules_version = '2';
        service cloud.firestore { match /databases/other/documents/{d=**} { allow get; } }
        """)
    let decide = { database in
      rules.isAllowed(
        .get, path: ["a", "b"], databaseID: database, request: .map([:]), resource: .null,
        database: Documents())
    }
    #expect(decide("other") == .allowed)
    #expect(decide("(default)").description == "denied: no allow statement matches")
  }

  @Test func `names are visible where they are declared and below`() throws {
    let rules = try Ruleset(
      documents: """
        function isA(id) { return id == 'a' && database == '(default)'; }
        match /outer/{id} {
          function outerIsA() { return isA(id); }
          function kind() { return 'outer'; }
          match /inner/{id} {
            function kind() { return 'inner'; }
            allow get: if outerIsA() && id == 'b' && kind() == 'inner';
          }
          allow get: if late(1) == 2 && kind() == 'outer';
          function late(x) { let one = 1; let two = one + x; return two; }
        }
        """)
    #expect(rules.allows(.get, path: "outer/a/inner/b"))
    #expect(!rules.allows(.get, path: "outer/b/inner/b"))
    #expect(!rules.allows(.get, path: "outer/a/inner/a"))
    #expect(rules.allows(.get, path: "outer/x"))
  }

  @Test func `resource is null where no document is stored`() throws {
    let rules = try Ruleset(
      documents: """
        match /a/{d} { allow get: if resource == null; }
        match /b/{d} { allow get: if resource.data.x == 1; }
        match /c/{d} { allow delete: if request.resource == null; }
        """)
    #expect(rules.allows(.get, path: "a/d"))
    #expect(!rules.allows(.get, path: "a/d", stored: [:]))
    #expect(
      rules.decides(.get, path: "b/d").description == "denied: L5:39 null has no member 'data'")
    #expect(!rules.allows(.delete, path: "c/d"))
  }

  @Test func `claims of the token`() throws {
    let rules = try Ruleset(
      documents: """
        match /a/{d} { allow get: if request.auth.token.email_verified
            && request.auth.token.email.matches('.*@example[.]com'); }
        match /b/{d} { allow get: if request.auth.token.admin == true; }
        match /c/{d} { allow get: if 'admin' in request.auth.token; }
        match /d/{d} { allow get: if request.auth.token.get('admin', false); }
        """)
    #expect(rules.allows(.get, path: "a/d"))
    for path in ["b/d", "c/d", "d/d"] {
      #expect(!rules.allows(.get, path: path))
      #expect(rules.allows(.get, path: path, request: Request(claims: ["admin": .bool(true)])))
    }
  }

  @Test func `fields are checked on write`() throws {
    let rules = try Ruleset(
      documents: """
        match /posts/{id} {
          function incoming() { return request.resource.data; }
          allow create: if incoming().keys().hasAll(['title', 'owner'])
            && incoming().keys().hasOnly(['title', 'owner', 'tags'])
            && incoming().title is string && incoming().title.size() <= 5
            && incoming().owner == request.auth.uid;
          allow update: if incoming().diff(resource.data).affectedKeys().hasOnly(['title'])
            && resource.data.owner == request.auth.uid;
        }
        """)
    let post: [String: RuleValue] = ["title": "Hello", "owner": "alice"]
    #expect(rules.allows(.create, path: "posts/1", request: Request(data: post)))
    for change: [String: RuleValue] in [
      ["title": "Too long"], ["title": .int(1)], ["owner": "bob"], ["extra": .null],
    ] {
      let changed = post.merging(change) { $1 }
      #expect(!rules.allows(.create, path: "posts/1", request: Request(data: changed)))
    }
    let update = { (change: [String: RuleValue]) in
      rules.allows(
        .update, path: "posts/1", stored: post, request: Request(data: post.merging(change) { $1 }))
    }
    #expect(update(["title": "New"]))
    #expect(update([:]))
    #expect(!update(["title": "New", "owner": "bob"]))
    #expect(!update(["extra": .int(1)]))
  }

  @Test func `a server timestamp equals the time of the request`() throws {
    let rules = try Ruleset(
      documents: "match /a/{d} { allow create: if request.resource.data.at == request.time; }")
    let time = RuleValue.timestamp(seconds: 1_700_000_000, nanos: 500_000_000)
    #expect(rules.allows(.create, path: "a/d", request: Request(data: ["at": time])))
    let other = RuleValue.timestamp(seconds: 1_700_000_000, nanos: 0)
    #expect(!rules.allows(.create, path: "a/d", request: Request(data: ["at": other])))
  }
}
