import HearthFirestoreRules
import Testing

@Suite struct SyntaxTests {
  @Test(arguments: [
    ("", 1, 1, "'service cloud.firestore' is expected, found the end of the file"),
    ("// x", 1, 5, "'service cloud.firestore' is expected, found the end of the file"),
    ("rules_version = '3';", 1, 17, "Unsupported rules version 3."),
    ("rules_version = 2;", 1, 17, "rules_version is '1' or '2'"),
    (
      "service cloud.firestore {} x", 1, 26,
      "The 'service' body must contain at least one declaration."
    ),
    (
      "service a { match /b { allow read; } } x", 1, 40,
      "'service' or 'function' is expected, found 'x'"
    ),
    (
      "service a { match /b { allow read; } } service a { match /b { allow read; } }", 1, 48,
      "Duplicate service name declaration."
    ),
    ("import 'x';", 1, 1, "Import statements are not allowed."),
    (
      "service cloud.firestore {", 1, 26,
      "'match' or 'function' is expected, found the end of the file"
    ),
    (
      "service cloud.firestore { allow read; }", 1, 27,
      "'match' or 'function' is expected, found 'allow'"
    ),
    ("/* x", 1, 1, "this comment is never closed"),
    ("\u{FEFF}service a {}", 1, 1, "unexpected character '\u{FEFF}'"),
    ("service\u{A0}a {}", 1, 8, "unexpected character '\u{A0}'"),
    (
      "service cloud.firestore {\n  match users {}\n}", 2, 9,
      "a path beginning with '/' is expected, found 'users'"
    ),
    ("service cloud.firestore { match /a/ {} }", 1, 36, "a path segment is expected"),
    (
      "service cloud.firestore { match /{x=* *} {} }", 1, 39,
      "'}' is expected, found '*'"
    ),
    ("service cloud.firestore { match /é {} }", 1, 34, "a path segment is expected"),
    (
      "service cloud.firestore { match /a {} }", 1, 37,
      "The 'match' body must contain at least one declaration."
    ),
    (
      "service cloud.firestore { match /{a}/{a} {} }", 1, 39,
      "Variable a already exists in the PathTemplate."
    ),
    ("service cloud.firestore { match /{a-b} {} }", 1, 36, "'}' is expected, found '-'"),
    (
      "service cloud.firestore { match /{match} {} }", 1, 35,
      "the name of a wildcard is expected, found 'match'"
    ),
    (
      "service cloud.firestore { match /{math} {} }", 1, 35,
      "math is a package and cannot be used as variable name."
    ),
    (
      "service cloud.firestore { match /{a=**}/b {} }", 1, 34,
      "With rules_version '1' only the last segment may be '=**'."
    ),
    (
      "rules_version='2'; service cloud.firestore { match /{a=**}/{b=**} {} }", 1, 60,
      "Only one segment of a match may be '=**'."
    ),
    (
      "rules_version='2'; service cloud.firestore { match /{a=**} { match /b/{c=**} {} } }", 1, 68,
      "Only one '=**' is permitted in the path of a match and of those around it."
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
    ("allow read: true;", 13, "'if' is expected before the condition, found 'true'"),
    (
      "allow : if true;", 7,
      "one of read, write, get, list, create, update, delete is expected, found ':'"
    ),
    (
      "allow get, let: if true;", 12,
      "one of read, write, get, list, create, update, delete is expected, found 'let'"
    ),
    ("allow read; ;", 13, "'allow', 'match' or 'function' is expected, found ';'"),
    ("let a = 1;", 1, "'allow', 'match' or 'function' is expected, found 'let'"),
    ("allow read: if ;", 16, "an expression is expected, found ';'"),
    (
      "allow read: if math == 1;", 16, "math is a package and cannot be used as variable name."
    ),
    (
      "allow read: if math.pi == 1;", 16, "math is a package and cannot be used as variable name."
    ),
    (
      "allow read: if 1 is integer;", 21,
      "An unsupported type identifier was used with the 'is' operator. Received 'integer'. "
        + "Expected one of bool,bytes,constraint,duration,float,int,latlng,list,vector,set,number,"
        + "map,string,timestamp,path,map_diff"
    ),
    (
      "allow read: if 1 is null;", 21,
      "An unsupported type identifier was used with the 'is' operator. Received 'null'. "
        + "Expected one of bool,bytes,constraint,duration,float,int,latlng,list,vector,set,number,"
        + "map,string,timestamp,path,map_diff"
    ),
    ("allow read: if 'abc;", 16, "Missing a closing '"),
    ("allow read: if b'abc;", 17, "Missing a closing '"),
    (
      #"allow read: if b'\xg0' == b'';"#, 18,
      #"unknown escape '\x'; a backslash in a pattern is written '\\'"#
    ),
    (
      #"allow read: if b'\400' == b'';"#, 18,
      #"unknown escape '\4'; a backslash in a pattern is written '\\'"#
    ),
    (
      #"allow read: if '\d' == '';"#, 17,
      #"unknown escape '\d'; a backslash in a pattern is written '\\'"#
    ),
    (
      "allow read: if 99999999999999999999 > 1;", 16,
      "Invalid number literal 99999999999999999999."
    ),
    ("allow read: if 9223372036854775808 > 1;", 16, "Invalid number literal 9223372036854775808."),
    ("allow read: if 12ab > 1;", 16, "Invalid number literal 12ab."),
    ("allow read: if 1e3 > 1;", 16, "Invalid number literal 1e3."),
    ("allow read: if 010 > 1;", 16, "Invalid number literal 010: it begins with 0."),
    (
      "allow read: if --1 > 1;", 16,
      "Increment (++) and decrement (--) operators are not supported."
    ),
    ("allow read: if - -1 > 1;", 18, "an expression is expected, found '-'"),
    (
      "allow read: if 4/2 == 2;", 17,
      "A division needs a blank after '/': what follows reads as a path."
    ),
    (
      "allow read: if resource.data.service == 1;", 30,
      "'service' is a keyword; write ['service'] for the field"
    ),
    ("allow read: if 1 # 2;", 18, "unexpected character '#'"),
    (
      "allow read: if 'a'.matches('(');", 28,
      "Invalid regular expression pattern. Pattern: (. '(' is not a regular expression"
    ),
    (
      "allow read: if 'a'.matches('(?=a)');", 28,
      "Invalid regular expression pattern. Pattern: (?=a). "
        + "'(?=' is not part of RE2's regular expressions"
    ),
    ("allow read: if [1, 2;", 21, "']' is expected, found ';'"),
    ("allow read: if [,] == 1;", 17, "an expression is expected, found ','"),
    ("allow read: if {'a' 1} == {};", 21, "':' is expected, found a number"),
    ("allow read: if true ? 1;", 24, "':' is expected, found ';'"),
    ("function f() { let a = 1 return a; }", 26, "';' is expected, found 'return'"),
    ("function f() { let a = 1; }", 27, "'let' or 'return' is expected, found '}'"),
    ("function f() { return 1; return 2; }", 26, "'}' is expected, found 'return'"),
    ("function if() { return 1; }", 10, "the name of a function is expected, found 'if'"),
    ("function while() { return 1; }", 10, "the name of a function is expected, found 'while'"),
    (
      "function f(a, a) { return 1; }", 15,
      "The identifier [a] is already bound in the current scope."
    ),
    (
      "function f(a) { let a = 1; return 1; }", 21,
      "The identifier [a] is already bound in the current scope."
    ),
    (
      "function f() { return 1; } function f() { return 2; }", 37,
      "Function f is already defined."
    ),
    (
      "function f(a,b,c,d,e,f,g,h) { return 1; }", 26,
      "Maximum allowed function arguments of 7 for function f is reached."
    ),
    (
      "function f() { return f(); }", 23, "Recursive call is not allowed: 'f' leads to itself."
    ),
    (
      "function f() { return g(); } function g() { return 1 + f(); }", 23,
      "Recursive call is not allowed: 'g' leads to itself."
    ),
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

  @Test(arguments: [(11, true), (12, false)])
  func `eleven variables fit into a function`(_ count: Int, _ loads: Bool) {
    let lets = (0..<count).map { "let v\($0) = 1;" }.joined(separator: " ")
    let rules = try? Ruleset(documents: "function f() { \(lets) return v1; } allow read;")
    #expect((rules != nil) == loads)
  }

  @Test(
    arguments: [
      { String(repeating: "(", count: $0 - 1) + "true" + String(repeating: ")", count: $0 - 1) },
      { String(repeating: "[", count: $0 - 1) + String(repeating: "]", count: $0 - 1) + " != 1" },
      { String(repeating: "!", count: $0 - 1) + "true" },
      { "1" + String(repeating: " + 1", count: $0 - 1) },
      { "true" + String(repeating: " && true", count: $0 - 1) },
      { "true" + String(repeating: " || true", count: $0 - 1) },
      { String(repeating: "true ? true : ", count: $0 - 1) + "true" },
    ] as [@Sendable (Int) -> String])
  func `an expression has at most 99 levels`(_ expression: @Sendable (Int) -> String) throws {
    _ = try Ruleset(documents: "allow read: if \(expression(98));")
    for height in [101, 5000] {
      let error = #expect(throws: RuleSyntaxError.self) {
        try Ruleset(documents: "allow read: if \(expression(height));")
      }
      #expect(error?.message == "Expression is too complex to evaluate safely.")
    }
  }

  @Test func `a pattern that is nested too deeply is refused`() {
    let pattern = String(repeating: "(", count: 5000)
    let error = #expect(throws: RuleSyntaxError.self) {
      try Ruleset(documents: "allow read: if 'a'.matches('\(pattern)');")
    }
    #expect(error?.message.contains("nested") == true)
  }

  @Test(arguments: [(10, true), (11, false), (5000, false)])
  func `matches nest ten levels deep`(_ depth: Int, _ loads: Bool) {
    let source =
      String(repeating: "match /a { ", count: depth) + "allow read;"
      + String(repeating: "}", count: depth)
    #expect(((try? Ruleset(documents: source)) != nil) == loads)
  }

  @Test func `comments and blanks may stand anywhere`() throws {
    let rules = try Ruleset(
      source: """
        // first
        rules_version = "2" ; /* then **/ service cloud . firestore
        { match /databases/{database}/documents// here
          { match /docs/{ id = ** }/* and here */{ allow get , list :if /**/ true; }
        } }
        """)
    #expect(rules.allows(.get, path: "docs/a/b/c"))
  }
}
