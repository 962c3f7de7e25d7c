import HearthCrypto
import HearthFirestoreRules
import HearthTestSupport
import Testing

/// Whatever the source, reading it ends with rules or with an error, and rules end with a decision.
@Suite struct FuzzTests {
  private static let seed = """
    rules_version = '2'
    function isOpen(data) { return data.open == true || nobody(knows) }
    service firebase.storage { match /b/{bucket}/o/{name=*} { allow read, peek: if firestore.get(/a); } }
    service cloud.firestore {
      function own(uid, x) { let a = x + 1; return request.auth != null && request.auth.uid == uid; }
      match /databases/{database}/documents {
        match /users/{uid}/{rest=**} {
          allow read, write: if own(uid, 1) || uid in ['a', "b\\n"] && !(1 / 0 > -2.5) ? true : {'k': []}.k[0:1];
          allow create: if get(/databases/$(database)/documents/users/$(uid)).data.role.matches('^a+[bc]$');
          allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['x']);
          allow get: if isOpen(resource.data) && [1, 2,].size() == .5 && path('/a/{b}').bind({'b': 1,}) == /a/{b}
          allow list: if resource.data.n is number && timestamp.date(2024, 1, 2) < request.time;
        }
      }
    }
    """
  private static let words = [
    "(", ")", "[", "]", "{", "}", "/", "//", "/*", "$(", "'", "\"", "\\", "!", "-", "&&", "||", "?",
    ":", ";",
    ".", ",", "=**", "in", "is", "match", "allow", "function", "let", "return", "null", "1e9",
    "service", "'\\x41'", "--", "1.",
    "\u{0}", "é",
    "9223372036854775807", "request", "resource", ".data", "uid", "own(", "math.pow(", "get(", "\n",
  ]

  @Test(arguments: 0..<8) func `mutated rules`(_ start: UInt64) {
    var random = SplitMix(seed: start)
    for _ in 0..<400 {
      var text = Array(Self.seed.unicodeScalars)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0..<text.count, using: &random)
        let end = min(text.count, at + Int.random(in: 0...8, using: &random))
        let word = Bool.random(using: &random) ? Self.words.randomElement(using: &random) ?? "" : ""
        text.replaceSubrange(at..<end, with: word.unicodeScalars)
      }
      tryOut(String(String.UnicodeScalarView(text)))
    }
  }

  @Test(arguments: 0..<8) func `random words as a condition`(_ start: UInt64) {
    var random = SplitMix(seed: start &+ 1000)
    for _ in 0..<400 {
      let words = (0..<Int.random(in: 1...40, using: &random)).compactMap { _ in
        Self.words.randomElement(using: &random)
      }
      tryOut(Self.seed.replacing("own(uid, 1)", with: words.joined(separator: " ")))
    }
  }

  @Test(arguments: 0..<8) func `random characters`(_ start: UInt64) {
    var random = SplitMix(seed: start &+ 3000)
    for _ in 0..<400 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let highest: UInt32 = Bool.random(using: &random) ? 0x7F : 0x10FFFF
        let scalar = Unicode.Scalar(UInt32.random(in: 0...highest, using: &random))
        text.append(scalar ?? "\n")
      }
      tryOut(String(text))
      tryOut(Self.seed.replacing("own(uid, 1)", with: String(text)))
    }
  }

  /// Expressions that parse, of random operators and values, must not trap.
  @Test(arguments: 0..<8) func `random expressions`(_ start: UInt64) throws {
    var random = SplitMix(seed: start &+ 2000)
    for _ in 0..<400 {
      let rules = try Ruleset(
        documents: "match /users/{uid} { allow read, write: if \(expression(5, random: &random)); }"
      )
      decideAll(rules)
    }
  }

  private func expression(_ depth: Int, random: inout SplitMix) -> String {
    let leaves = [
      "0", "1", "(-9223372036854775807 - 1)", "9223372036854775807", "1.5",
      "900000000000000000000.5", "true", "null",
      "'a'",
      "''", "[]", "[1, 'a']", "{}", "{'a': 1}", "/a/b", "uid", "request", "resource",
      "resource.data",
      "request.time", "duration.value(9223372036854775807, 's')", "timestamp.value(-1)",
      "[1].toSet()",
      "resource.data.n", "'é😀'.toUtf8()", "latlng.value(1, 2)", "resource.data.diff({})",
    ]
    guard depth > 0, let leaf = leaves.randomElement(using: &random) else { return "1" }
    var next: String { expression(depth - 1, random: &random) }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return leaf
    case 1: return "!(\(next))"
    case 2: return "-(\(next))"
    case 3: return "(\(next))[\(next)]"
    case 4: return "(\(next))[\(next) : \(next)]"
    case 5:
      let method =
        [
          "size()", "year()", "dayOfYear()", "toMillis()", "keys()", "toSet()", "time()", "nanos()",
          "toBase64()",
        ]
        .randomElement(using: &random) ?? ""
      return "debug(\(next)).\(method)"
    case 6:
      let function =
        [
          "string", "int", "float", "math.abs", "math.round", "duration.abs", "path", "debug",
          "exists",
        ]
        .randomElement(using: &random) ?? ""
      return "\(function)(\(next))"
    default:
      let operation =
        ["+", "-", "*", "/", "%", "<", ">=", "==", "!=", "in", "&&", "||"].randomElement(
          using: &random) ?? ""
      return "(\(next)) \(operation) (\(next))"
    }
  }

  /// A reader has to look for the offence at the place that is named.
  private func tryOut(_ source: String) {
    do throws(RuleSyntaxError) {
      decideAll(try Ruleset(source: source))
    } catch {
      let lines = source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      guard lines.indices.contains(error.line - 1) else {
        Issue.record("\(error) is outside of \(source)")
        return
      }
      // The end of a line is a place too.
      #expect((1...lines[error.line - 1].count + 1).contains(error.column), "\(error): \(source)")
      #expect(!error.message.isEmpty)
    }
  }

  private func decideAll(_ rules: Ruleset) {
    for method in RuleMethod.allCases {
      _ = rules.decides(
        method, path: "users/a", stored: ["n": .int(1)], request: Request(data: ["x": .null]))
    }
    let constraint = FieldConstraint(["n"], condition: .greaterThan(.int(1)))
    _ = rules.permitsQuery(
      RuleQuery(.collection(["users"]), where: [constraint]), request: .map([:]),
      database: Documents())
  }
}
