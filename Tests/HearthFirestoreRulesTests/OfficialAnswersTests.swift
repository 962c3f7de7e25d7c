import HearthFirestoreRules
import Testing

@Suite struct OfficialAnswersTests {
  enum Outcome: String {
    case isTrue, isFalse, fails, isRefused
  }

  private func outcome(_ expression: String) -> Outcome {
    func rules(_ condition: String) throws(RuleSyntaxError) -> Ruleset {
      try Ruleset(
        source: """
          rules_version = '2';
          service cloud.firestore {
            match /databases/{database}/documents {
              match /t/{id} { allow get: if \(condition); }
            }
          }
          """)
    }
    do throws(RuleSyntaxError) {
      let database = Documents(before: ["users/alice": ["role": "admin"]])
      let stored = storedSample
      let request = Request(claims: [
        "sub": "alice", "email": "a@example.com", "email_verified": .bool(true),
        "firebase": .map(["sign_in_provider": "custom"]),
      ])
      if try rules(expression).allows(
        .get, path: "t/d", stored: stored, request: request, database: database)
      {
        return .isTrue
      }
      let negation = try rules("!(\(expression))")
      return negation.allows(
        .get, path: "t/d", stored: stored, request: request, database: database) ? .isFalse : .fails
    } catch {
      return .isRefused
    }
  }

  @Test(arguments: OfficialAnswers.areTrue) func `is true`(_ expression: String) {
    #expect(outcome(expression) == .isTrue)
  }

  @Test(arguments: OfficialAnswers.areFalse) func `is false`(_ expression: String) {
    #expect(outcome(expression) == .isFalse)
  }

  @Test(arguments: OfficialAnswers.fail) func fails(_ expression: String) {
    #expect(outcome(expression) == .fails)
  }

  @Test(arguments: OfficialAnswers.areRefused) func `is refused`(_ expression: String) {
    #expect(outcome(expression) == .isRefused)
  }

  /// Where we differ, and why.
  @Test(
    arguments: [
      // A set is one: `set` is among the types that the message about types names.
      ("['a'].toSet() is set", .isTrue),
      // Members of lists compare numbers by value, as those of sets do. A query takes 1 and 1.0 for
      // equal, so a rule that told them apart could be proven of no query on a number.
      ("1 in [1.0]", .isTrue), ("1.0 in [1]", .isTrue), ("[1].hasAny([1.0])", .isTrue),
      ("[1].hasAll([1.0])", .isTrue), ("[1].hasOnly([1.0])", .isTrue),
      ("[1].removeAll([1.0]) == []", .isTrue),
      ("[0.0] == [-0.0]", .isTrue), ("latlng.value(0.0, 0) == latlng.value(-0.0, 0)", .isTrue),
      // In Google's reference, and unknown to the official emulator.
      ("bool('true')", .isTrue), ("bool('false') == false", .isTrue), ("bool(true)", .isTrue),
      ("math.isInfinite(math.pow(10,400))", .isTrue),
      ("math.isInfinite(resource.data.inf)", .isTrue),
      // A map has no order here; keys() and values() are sorted by key. There values() keeps the order
      // of the text.
      ("{'b':1,'a':2}.values() == [2,1]", .isTrue), ("{'b':1,'a':2}.values() == [1,2]", .isFalse),
      // Headers of HTTP are not offered to rules; the reference does not know them.
      ("request.headers == null", .fails),
      ("request.keys() == ['auth','method','path','time']", .isTrue),
      // A path is its segments, a place for bind() is one of them.
      ("path('/a/{b}') == /a/{b}", .isTrue), ("path('/a/$(b)').bind({'b':'x'}) == /a/x", .isTrue),
    ] as [(String, Outcome)])
  func `differs on purpose`(_ expression: String, _ outcome: Outcome) {
    #expect(self.outcome(expression) == outcome)
  }
}

/// A document with a value of each type.
let storedSample: [String: RuleValue] = [
  "name": "Ada", "age": .int(36), "score": .float(1.5), "tags": .list(["a", "b"]),
  "address": .map(["city": "London", "zip": .null]), "photo": .bytes([0, 255, 16]),
  "place": .latlng(latitude: 51.5, longitude: 0),
  "when": .timestamp(seconds: 1_709_212_455, nanos: 123_456_000),
  "ref": .path(["databases", "(default)", "documents", "users", "bob"]), "bad": .float(.nan),
  "big": .int(9_007_199_254_740_993), "n": .null, "z": .float(1), "inf": .float(.infinity),
  "v": .vector([1, 2]),
]
