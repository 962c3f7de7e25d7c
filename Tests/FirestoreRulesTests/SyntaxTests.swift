import FirestoreRules
import Testing

@Suite struct SyntaxTests {
  @Test(arguments: [
    ("", 1, 1, "'service cloud.firestore' is expected, found the end of the file"),
    ("rules_version = '3';", 1, 17, "rules_version is '1' or '2'"),
    ("rules_version = 2;", 1, 17, "rules_version is '1' or '2'"),
    (
      "service firebase.storage {}", 1, 9,
      "service 'firebase.storage' is not served here, only 'cloud.firestore' is"
    ),
    ("service cloud.firestore {} x", 1, 28, "nothing may follow the service, found 'x'"),
    (
      "service cloud.firestore {", 1, 26,
      "'match' or 'function' is expected, found the end of the file"
    ),
    (
      "service cloud.firestore { allow read; }", 1, 27,
      "'match' or 'function' is expected, found 'allow'"
    ),
    ("/* x", 1, 1, "this comment is never closed"),
    (
      "service cloud.firestore {\n  match users {}\n}", 2, 9,
      "a path beginning with '/' is expected, found 'users'"
    ),
    (
      "service cloud.firestore { match /a//b {} }", 1, 43,
      "'{' is expected, found the end of the file"
    ),
    ("service cloud.firestore { match /a/ {} }", 1, 36, "a path segment is expected"),
    (
      "service cloud.firestore { match /{a}/{a} {} }", 1, 38,
      "there is a wildcard 'a' in this path already"
    ),
    ("service cloud.firestore { match /{a=*} {} }", 1, 38, "'*' is expected, found '}'"),
    ("service cloud.firestore { match /{a-b} {} }", 1, 36, "'}' is expected, found '-'"),
    (
      "service cloud.firestore { match /{a=**}/b {} }", 1, 34,
      "with rules_version '1' only the last segment may be '=**'"
    ),
    (
      "rules_version='2'; service cloud.firestore { match /{a=**}/{b=**} {} }", 1, 60,
      "only one segment of a match may be '=**'"
    ),
  ])
  func `a broken file is refused with its place`(
    _ source: String, _ line: Int, _ column: Int, _ message: String
  ) {
    let error = #expect(throws: RuleSyntaxError.self) { try Ruleset(source: source) }
    #expect(error?.description == "\(line):\(column): \(message)")
  }

  /// Placed in column 1 of line 2.
  @Test(arguments: [
    ("allow read: true;", 13, "'if' is expected, found 'true'"),
    (
      "allow reed;", 7,
      "one of read, write, get, list, create, update, delete is expected, found 'reed'"
    ),
    ("allow read: if true }", 21, "';' is expected, found '}'"),
    ("let a = 1;", 1, "'allow', 'match' or 'function' is expected, found 'let'"),
    ("allow read: if ;", 16, "an expression is expected, found ';'"),
    ("allow read: if a == 1;", 16, "unknown variable 'a'"),
    ("allow read: if math == 1;", 16, "unknown variable 'math'"),
    ("allow read: if f();", 16, "unknown function 'f'"),
    ("allow read: if math.cube(1);", 21, "unknown function 'math.cube'"),
    ("allow read: if get(/a, 1) == null;", 16, "'get' takes 1 argument, found 2"),
    ("allow read: if math.pow(1) == 1;", 21, "'math.pow' takes 2 arguments, found 1"),
    ("allow read: if resource.data.frob();", 30, "unknown method 'frob'"),
    ("allow read: if 'a'.hasAny([]);", 20, "unknown method 'hasAny' of string"),
    ("allow read: if resource.data.keys(1);", 30, "'keys' takes 0 arguments, found 1"),
    ("allow read: if request.user == null;", 24, "'request' has no member 'user'"),
    ("allow read: if resource.foo == null;", 25, "'resource' has no member 'foo'"),
    ("allow read: if 1 is integer;", 21, "the name of a type is expected, found 'integer'"),
    ("allow read: if 'abc;", 16, "this string is never closed"),
    ("allow read: if b'abc;", 17, "these bytes are never closed"),
    (#"allow read: if b'\xg0' == b'';"#, 18, #"a byte is written '\x2A' or '\052'"#),
    (#"allow read: if b'\400' == b'';"#, 18, #"a byte is written '\x2A' or '\052'"#),
    (
      #"allow read: if '\d' == '';"#, 17,
      #"unknown escape '\d'; a backslash in a pattern is written '\\'"#
    ),
    (
      "allow read: if 99999999999999999999 > 1;", 16,
      "'99999999999999999999' is not a number or is out of range"
    ),
    ("allow read: if 12ab > 1;", 16, "'12ab' is not a number or is out of range"),
    ("allow read: if 1 # 2;", 18, "unexpected character '#'"),
    ("allow read: if 'a'.matches('(');", 28, "'(' is not a regular expression"),
    ("allow read: if 'a'.matches('(?=a)');", 28, "'(?=' is not part of RE2's regular expressions"),
    ("allow read: if [1, 2;", 21, "']' is expected, found ';'"),
    ("allow read: if {'a' 1} == {};", 21, "':' is expected, found a number"),
    ("allow read: if true ? 1;", 24, "':' is expected, found ';'"),
    ("allow read: if get(/a/$(b)) == null;", 25, "unknown variable 'b'"),
    ("function f() { return 1 } ", 25, "';' is expected, found '}'"),
    ("function f() { let a = 1; }", 27, "'let' or 'return' is expected, found '}'"),
    ("function f(a, a) { return 1; }", 15, "there is a variable 'a' in this function already"),
    (
      "function f(a) { let a = 1; return 1; }", 21,
      "there is a variable 'a' in this function already"
    ),
    ("function f() { let a = a; return 1; }", 24, "unknown variable 'a'"),
    (
      "function f() { return 1; } function f() { return 2; }", 37,
      "there is a function 'f' here already"
    ),
    ("function get(a) { return 1; }", 10, "'get' is the name of a built-in function"),
    ("function f(a,b,c,d,e,f,g,h) { return 1; }", 26, "at most 7 parameters are possible"),
    ("function f(a) { return 1; } allow read: if f();", 44, "'f' takes 1 argument, found 0"),
    ("function f() { return f(); }", 23, "the call of 'f' leads to a recursion"),
    (
      "function f() { return g(); } function g() { return 1 + f(); }", 23,
      "the call of 'g' leads to a recursion"
    ),
    ("match /b { function g() { return 1; } } allow read: if g();", 56, "unknown function 'g'"),
  ])
  func `a broken declaration is refused with its place`(
    _ declaration: String, _ column: Int, _ message: String
  ) {
    let source = "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {\n"
    let error = #expect(throws: RuleSyntaxError.self) {
      try Ruleset(source: source + declaration + "}}")
    }
    #expect(error?.description == "2:\(column): \(message)")
  }

  @Test func `an eleventh let is refused`() {
    let lets = (0..<11).map { "let v\($0) = 1;" }.joined(separator: " ")
    #expect(throws: RuleSyntaxError.self) {
      try Ruleset(documents: "function f() { \(lets) return v1; }")
    }
  }

  @Test(arguments: [
    String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000),
    String(repeating: "[", count: 5000), String(repeating: "!", count: 5000) + "true",
    "1" + String(repeating: " + 1", count: 5000),
    "request" + String(repeating: ".auth", count: 5000),
    String(repeating: "true ? true : ", count: 5000) + "true",
    "'a'.matches('" + String(repeating: "(", count: 5000) + "')",
  ])
  func `deep nesting is refused`(_ condition: String) {
    let error = #expect(throws: RuleSyntaxError.self) {
      try Ruleset(documents: "allow read: if \(condition);")
    }
    #expect(error?.message.contains("nested") == true)
  }

  @Test func `deeply nested matches are refused`() {
    let source = String(repeating: "match /a { ", count: 5000)
    #expect(throws: RuleSyntaxError.self) { try Ruleset(documents: source) }
  }

  @Test func `a long chain of conditions is no nesting`() throws {
    let condition = Array(repeating: "true", count: 400).joined(separator: " && ")
    #expect(try decision(on: condition).isAllowed)
  }

  @Test func `comments and blanks may stand anywhere`() throws {
    let rules = try Ruleset(
      source: """
        \u{FEFF}// first
        rules_version = "2" ; /* then **/ service cloud . firestore
        { match /databases/{database}/documents// here
          { match /docs/{ id = ** }/* and here */{ allow get , list :if /**/ true; }
        } }
        """)
    #expect(rules.allows(.get, "docs/a/b/c"))
  }
}
