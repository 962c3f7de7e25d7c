import HearthErrors
import HearthTriggers
import HearthWire
import Testing

@Suite struct `A path pattern` {
  private static let documents = ["a/fixed", "a/prefoo", "a/q/b/w"]

  /// As the official emulator was seen to match.
  @Test(
    arguments: [
      (.variables, "a/{x}/b/{y}", ["a/q/b/w"]),
      (.variables, "{c}/{d}", ["a/fixed", "a/prefoo"]),
      (.variables, "{all=**}", documents),
      (.variables, "a/{rest=**}", documents),
      (.variables, "a/{x=*}", ["a/fixed", "a/prefoo"]),
      (.variables, "a/{x}/{y=**}", documents),
      (.variables, "a/{x=**}/w", ["a/q/b/w"]),
      (.variables, "a/{x}/{c}/{d}", ["a/q/b/w"]),
      (.variables, "a/fixed", ["a/fixed"]),
      (.variables, "a/*", []),
      (.wildcards, "a/{x=**}/w", ["a/q/b/w"]),
      (.wildcards, "a/{x}/{y=**}", documents),
      (.wildcards, "a/*", ["a/fixed", "a/prefoo"]),
      (.wildcards, "a/**", documents),
      (.wildcards, "*/*", ["a/fixed", "a/prefoo"]),
      (.wildcards, "**", documents),
      (.wildcards, "a/pre*", ["a/prefoo"]),
      (.wildcards, "a/*x*d", ["a/fixed"]),
      (.wildcards, "/a/{x}", ["a/fixed", "a/prefoo"]),
      (.wildcards, "", documents),
      (.wildcards, "**/w/**/w", []),
      (.exact, "a/fixed", ["a/fixed"]),
      (.exact, "a/q/b/w", ["a/q/b/w"]),
    ] as [(PathPattern.Syntax, String, [String])])
  func `matches`(syntax: PathPattern.Syntax, pattern: String, expected: [String]) throws {
    let pattern = try PathPattern(pattern, syntax: syntax)
    let found = Self.documents.filter {
      pattern.matches($0.split(separator: "/").map(String.init))
    }
    #expect(found == expected)
  }

  @Test(arguments: [
    "a/pre{x}", "a/{x", "a/x}", "a/{}", "a/{=**}", "a/{x=b/*}", "a/{x=b}", "a//b", "/a/{x}", "",
    "a/",
    "a/{x}{y}", String(repeating: "a/", count: 300) + "b", String(repeating: "a", count: 9000),
  ])
  func `is refused where it can match nothing`(pattern: String) {
    #expect(throws: APIError.self) { try PathPattern(pattern, syntax: .variables) }
  }

  @Test(
    arguments: [
      (.variables, "users/{id}/posts"), (.variables, "{all}"), (.wildcards, "users"),
      (.wildcards, "a/*/b"), (.wildcards, "/a/{x}/b"), (.exact, "users"), (.exact, "a/b/c"),
    ] as [(PathPattern.Syntax, String)])
  func `is refused where it names a collection`(syntax: PathPattern.Syntax, pattern: String) {
    let error = #expect(throws: APIError.self) { try PathPattern(pattern, syntax: syntax) }
    #expect(error?.message.contains("names a collection") == true)
  }

  @Test(arguments: ["a/{x}", "a/*", "a/**", "a/pre*", "{all=**}"])
  func `has no wildcards where it is exact`(path: String) {
    let error = #expect(throws: APIError.self) { try PathPattern(path, syntax: .exact) }
    #expect(error?.message.contains("PATH_PATTERN") == true)
  }

  @Test(arguments: ["a/x**", "a/**b/c"])
  func `has two stars only by themselves`(pattern: String) {
    #expect(throws: APIError.self) { try PathPattern(pattern, syntax: .wildcards) }
  }

  @Test func `takes time that grows with the path`() throws {
    let pattern = try PathPattern(
      Array(repeating: "**/a", count: 90).joined(separator: "/"), syntax: .wildcards)
    #expect(!pattern.matches(Array(repeating: "a", count: 199) + ["b"]))
    let glob = try PathPattern("c/" + String(repeating: "*a", count: 700), syntax: .wildcards)
    #expect(!glob.matches(["c", String(repeating: "a", count: 1499) + "b"]))
  }
}

@Suite struct `A trigger` {
  @Test(arguments: [
    (
      #"{"eventType":"document.archive","resource":"projects/p/databases/d/documents/a/b"}"#,
      "eventType"
    ),
    (
      #"{"eventType":"providers/cloud.firestore/eventTypes/document.write","service":"x","resource":"projects/p/databases/d/documents/a/b"}"#,
      "service"
    ),
    (#"{"eventType":"providers/cloud.firestore/eventTypes/document.write"}"#, "resource"),
    (
      #"{"eventType":"providers/cloud.firestore/eventTypes/document.write","resource":"projects/other/databases/d/documents/a/b"}"#,
      "project"
    ),
    (
      #"{"eventType":"providers/cloud.firestore/eventTypes/document.write","resource":"projects/p/databases/d/documents/a/x{b}"}"#,
      "pattern"
    ),
    (
      #"{"eventType":"providers/cloud.firestore/eventTypes/document.write","resource":"projects/p/databases/d/documents/users/{id}/posts"}"#,
      "names a collection"
    ),
    (
      #"{"eventType":"providers/cloud.firestore/eventTypes/document.write","resource":"projects/p/databases/No Such/documents/a/{b}"}"#,
      "the database 'No Such' cannot exist"
    ),
  ])
  func `of the first generation says what is wrong`(body: String, word: String) throws {
    let body = try JSON.parse(body)
    let error = #expect(throws: APIError.self) {
      try DocumentTrigger(firstGeneration: body, key: "k", project: "p")
    }
    #expect(error?.message.contains(word) == true)
  }

  @Test(arguments: [
    #"{"eventType":"google.cloud.firestore.document.v1.archived"}"#,
    #"{"eventType":"google.cloud.firestore.document.v1.written","document":{"value":"a/b"}}"#,
    #"{"eventType":"google.cloud.firestore.document.v1.written","document":{"value":"a/x{b}","matchType":"PATH_PATTERN"}}"#,
    #"{"eventType":"google.cloud.firestore.document.v1.written","database":1}"#,
    #"{"eventType":"google.cloud.firestore.document.v1.written","database":"No Such"}"#,
    #"{"eventType":"google.cloud.firestore.document.v1.written","database":"{database}"}"#,
    #"{"eventType":"google.cloud.firestore.document.v1.written","document":{"value":"a/{b}","matchType":"EXACT"}}"#,
    #"{"eventType":"google.cloud.firestore.document.v1.written","document":{"value":"a/{b}/c","matchType":"PATH_PATTERN"}}"#,
    #"{"eventType":"google.cloud.firestore.document.v1.written","document":{"value":1,"matchType":"EXACT"}}"#,
  ])
  func `of the second generation is refused`(body: String) throws {
    let body = try JSON.parse(body)
    #expect(throws: APIError.self) { try DocumentTrigger(secondGeneration: body, key: "k") }
  }
}

@Suite struct `A trigger's names` {
  private static let long = String(repeating: "x", count: 300)

  @Test func `have a bound`() throws {
    let database = "projects/p/databases/"
    for (type, resource) in [
      (Self.long + "document.write", "\(database)(default)/documents/a/b"),
      ("document.write", "\(database)\(Self.long)/documents/a/b"),
    ] {
      let body = JSON.members(["eventType": .string(type), "resource": .string(resource)])
      #expect(throws: APIError.self) {
        try DocumentTrigger(firstGeneration: body, key: "k", project: "p")
      }
    }
    #expect(throws: APIError.self) {
      try DocumentTrigger(
        secondGeneration: "google.cloud.firestore.document.v1.written", key: "k",
        database: Self.long, path: "a/b", syntax: .exact)
    }
  }
}

@Suite struct `A functions emulator that runs alone` {
  @Test func `names its functions, and those of documents count`() throws {
    let json = try JSON.parse(
      """
      {"backends":[{"functionTriggers":[
        {"id":"us-central1-one","eventTrigger":{
          "eventType":"providers/cloud.firestore/eventTypes/document.create",
          "resource":"projects/p/databases/(default)/documents/a/{b}"}},
        {"id":"us-central1-two","eventTrigger":{
          "eventType":"google.cloud.firestore.document.v1.written",
          "eventFilters":{"database":"second","namespace":"(default)"},
          "eventFilterPathPatterns":{"document":"a/{b}"}}},
        {"id":"us-central1-exact","eventTrigger":{
          "eventType":"google.cloud.firestore.document.v1.written",
          "eventFilters":{"database":"(default)","document":"a/b"}}},
        {"id":"us-central1-odd","eventTrigger":{
          "eventType":"google.cloud.firestore.document.v1.written",
          "eventFilters":{"database":"(default)","document":"a/{b}"}}},
        {"id":"us-central1-bad","eventTrigger":{
          "eventType":"google.cloud.firestore.document.v1.written",
          "eventFilterPathPatterns":{"document":"a/x{b}"}}},
        {"id":"us-central1-user","eventTrigger":{
          "eventType":"providers/firebase.auth/eventTypes/user.create"}},
        {"id":"us-central1-http","httpsTrigger":{}}]}]}
      """)
    let keys = FunctionBackends.keys(
      in: """
        Function hearth does not exist, valid functions are: us-central1-one-0, us-central1-two-0, \
        us-central1-one-1, us-central1-http-0
        """)
    #expect(keys["us-central1-one"] == "us-central1-one-1")
    let triggers = FunctionBackends.triggers(in: json, project: "p", keys: keys)
    #expect(
      triggers.map(\.key) == ["us-central1-one-1", "us-central1-two-0", "us-central1-exact-0"])
    #expect(triggers.map(\.database) == ["(default)", "second", "(default)"])
    #expect(triggers.map { $0.pattern.matches(["a", "x"]) } == [true, true, false])
  }
}
