import HearthFirestoreRules
import Testing

/// What is odd in a file and loads all the same, as with Google's compiler.
@Suite struct LeniencyTests {
  /// Each allows to read `/t/d`.
  @Test(arguments: [
    "match /t/{id} { allow read: if true }",
    "match /t/{id} { allow write: if false allow read: if true }",
    "match /t/{id} { allow read }", "match /t/{id} { allow write allow read }",
    "function f() { return true } match /t/{id} { allow read: if f() }",
    "match /t/{id} { allow read: if 'a' in ['a', 'b',] }",
    "match /t/{id} { allow read: if {'a': 1,}.a == 1 }",
    "function f(a) { return a } match /t/{id} { allow read: if f(true,) }",
    "match /t/{id=*} { allow read: if id is string; }", "match /t/{id} { allow peek, read; }",
    "match /t /{id} { allow read; }", "match / {t}/* of */\n/ {id} { allow read; }",
    "match /t/{id} { allow read: if foo == 1 || true; }",
    "match /t/{id} { allow read: if foo() || true; }",
    "match /t/{id} { allow read: if foo.bar(1) || true; }",
    "match /t/{id} { allow read: if 'a'.foo() || true; }",
    "match /t/{id} { allow read: if request.foo == 1 || true; }",
    "match /t/{id} { allow read: if exists() || true; }",
    "match /t/{id} { allow read: if math.abs() == 1 || math.foo(1) == 1 || true; }",
    "function f(a) { return a; } match /t/{id} { allow read: if f() || true; }",
    "match /t/{id} { allow read: if .5 + 1. == 1.5; }",
    "match /t/{id} { allow read: if -9223372036854775808 < 0; }",
    #"match /t/{id} { allow read: if '\x41\102' == 'AB'; }"#,
    #"match /t/{id} { allow read: if '\ud83d\ude00'.size() == 2; }"#,
    "function get(a) { return a == 1; } match /t/{id} { allow read: if get(1); }",
    "function string(a) { return a == 1; } match /t/{id} { allow read: if string(1); }",
    "match /t/{id} { function debug(a) { return a == 1; } allow read: if debug(1); }",
    "match /t/{id} { allow read: if debug('x', 1) == 'x'; }",
    "match /t/{id} { allow read: if !(1 is vector) && !(1 is constraint) && !(1 is map_diff); }",
    "match /t/{id} { allow read: if (/a/{b}).bind({'b': 'x'}) == /a/x; }",
    "match /t/{resource} { allow read: if resource == 'd'; }",
    "match /t/{id} { allow read: if 4 / 2 == 2 && 4/ 2 == 2; }",
    "match /x/a@b~c+d&e'f { allow read; } match /t/{id} { allow read; }",
    "match /true/null { allow read; } match /t/{id} { allow read; }",
  ])
  func `loads and allows`(_ rules: String) throws {
    #expect(try Ruleset(documents: rules).decides(.get, path: "t/d") == .allowed)
  }

  private static let service =
    "service cloud.firestore { match /databases/{database}/documents/t/{id} { allow get: if f(); } }"
  private static let storage =
    "service firebase.storage { match /b/{b}/o { match /{a=**} { allow read; } } }"

  @Test(arguments: [
    ("function f() { return true; } \(service)", true),
    ("\(service) function f() { return true; }", true),
    ("\(storage) function f() { return true; } \(service)", true),
    ("\(service) \(storage) function f() { return request.auth != null; }", true),
    ("function f() { return id == 'd'; } \(service)", false), (storage, false),
    ("service other.name { match /databases/{d}/documents/t/{id} { allow get; } }", false),
  ])
  func `several services, and functions beside them`(_ source: String, _ isAllowed: Bool) throws {
    let rules = try Ruleset(source: "rules_version = '2'; " + source)
    #expect(rules.allows(.get, path: "t/d") == isAllowed)
  }

  @Test func `several files, each for itself`() throws {
    let rules = try Ruleset(files: [
      RuleFile(name: "a.rules", content: Self.service),
      RuleFile(name: "b.rules", content: Self.service.replacing("f()", with: "id == 'd'")),
      RuleFile(name: "c.rules", content: "function f() { return true; } " + Self.storage),
    ])
    #expect(rules.allows(.get, path: "t/d"))
    #expect(rules.decides(.get, path: "t/x").description.contains("unknown function 'f'"))
    #expect(rules.parts.map(\.file.name) == ["a.rules", "b.rules", "c.rules"])
  }

  /// In column 1 of line 2.
  @Test(arguments: [
    ("allow read: if foo;", ["2:16: Invalid variable name: foo."]),
    (
      "allow read: if foo(bar);",
      ["2:16: Invalid function name: foo.", "2:20: Invalid variable name: bar."]
    ),
    ("allow read: if math.foo(1);", ["2:21: Invalid function name: math.foo."]),
    (
      "allow read: if math.abs();",
      ["2:21: Incorrect number of arguments supplied to function: math.abs."]
    ),
    ("allow read: if 'a'.zork(1);", ["2:20: Invalid function name: zork."]),
    (
      "allow read: if resource.data.keys(1) == 1;",
      ["2:30: Incorrect number of arguments supplied to function: keys."]
    ),
    (
      "allow read: if exists();",
      ["2:16: Incorrect number of arguments supplied to function: exists."]
    ),
    (
      "allow read: if debug(1, 2);",
      ["2:16: Incorrect number of arguments supplied to function: debug."]
    ),
    ("allow foo, read;", ["2:7: Invalid method name: foo."]),
    (
      "function f(a, b) { let c = 1; return a; } allow read;",
      ["2:10: Unused function: f.", "2:15: Unused variable: b.", "2:24: Unused variable: c."]
    ),
    (
      "function f(a) { return true; } allow read: if f();",
      ["2:12: Unused variable: a.", "2:47: Incorrect number of arguments supplied to function: f."]
    ),
    (
      "function f() { let a = a; return a; } allow read: if f();",
      ["2:24: Invalid variable name: a."]
    ),
    (
      "match /b { function g() { return true; } allow get; } allow read: if g();",
      [
        "2:21: Unused function: g.", "2:70: Invalid function name: g.",
      ]
    ),
    ("allow read: if request.foo == 1;", []), ("allow read: if resource.foo == 1;", []),
  ])
  func `warns of what cannot be meant`(_ declaration: String, _ warnings: [String]) throws {
    let rules = try Ruleset(
      source: "rules_version='2'; service cloud.firestore { match /a {\n\(declaration)}}")
    #expect(rules.parts.flatMap(\.warnings).map(\.description).sorted() == warnings.sorted())
  }

  @Test func `warns of version 1`() throws {
    let rules = try Ruleset(
      source: "service cloud.firestore { match /{a=**} { match /b { allow read; } } }")
    #expect(
      rules.parts.flatMap(\.warnings).map(\.description) == [
        "Ruleset uses old version (version [1]). "
          + "Please update to the latest version (version [2]).",
        "1:27: Glob(**) resource rules should not have child resource rules.",
      ])
  }

  /// Of the services only those that are known give `request`, `resource` and the functions for
  /// documents.
  @Test(arguments: [
    ("firebase.storage", ["2:27: get", "2:40: exists"]),
    (
      "cloud.fire",
      ["1:9: cloud.fire", "2:7: read", "2:16: request", "2:27: get", "2:40: exists", "2:56: debug"]
    ),
    ("cloud.firestore", []),
  ])
  func `what another service does not have`(_ service: String, _ wanted: [String]) throws {
    let rules = try Ruleset(
      source: """
        service \(service) { match /a/{b} {
        allow read: if request != get(/a/b) && exists(/a/b) && debug(1) == int('1');
        } }
        """)
    let found = rules.parts[0].warnings.filter { $0.place != nil }.map { warning in
      let place = warning.place.map { "\($0.line):\($0.column)" } ?? ""
      return place + ":" + (warning.message.split(separator: ":").last?.dropLast() ?? "")
    }
    #expect(found == wanted)
  }
}
