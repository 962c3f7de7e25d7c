import HearthCrypto
import HearthFirestoreRules

/// Documents by their path below `documents`.
struct Documents: RuleDatabase {
  var before: [String: [String: RuleValue]] = [:]
  var after: [String: [String: RuleValue]] = [:]

  func document(_ path: [String], afterWrite: Bool) throws -> RuleValue? {
    let all = afterWrite ? before.merging(after) { $1 } : before
    return all[path.joined(separator: "/")].map { .document(at: path, data: $0) }
  }
}

extension RuleBudget {
  /// The budget of a server, with its digests.
  static func testing(limit: Int = RuleBudget.standard) -> RuleBudget {
    RuleBudget(
      limit: limit,
      digests: RuleDigests(md5: { Digest.md5.hash($0) }, sha256: { Digest.sha256.hash($0) }))
  }
}

/// What a request is made of in these tests.
struct Request {
  var uid: String? = "alice"
  var claims: [String: RuleValue] = ["email": "a@example.com", "email_verified": .bool(true)]
  var data: [String: RuleValue]?
  var query: [String: RuleValue] = [:]

  func value(_ method: RuleMethod, path: [String]) -> RuleValue {
    var fields: [String: RuleValue] = [
      "auth": uid.map { .map(["uid": .string($0), "token": .map(claims)]) } ?? .null,
      "method": .string(method.rawValue),
      "path": .path(["databases", "(default)", "documents"] + path),
      "time": .timestamp(seconds: 1_700_000_000, nanos: 500_000_000),
    ]
    if method == .list { fields["query"] = .map(query) }
    if let data { fields["resource"] = .document(at: path, data: data) }
    return .map(fields)
  }
}

extension Ruleset {
  /// Rules below `match /databases/{database}/documents`.
  init(documents rules: String) throws {
    try self.init(
      source: """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            \(rules)
          }
        }
        """)
  }

  func decides(
    _ method: RuleMethod, path: String, stored: [String: RuleValue]? = nil,
    request: Request = Request(), database: Documents = Documents()
  ) -> RuleDecision {
    let path = path.split(separator: "/").map(String.init)
    return isAllowed(
      method, path: path, request: request.value(method, path: path),
      resource: stored.map { .document(at: path, data: $0) } ?? .null, database: database,
      budget: .testing())
  }

  func allows(
    _ method: RuleMethod, path: String, stored: [String: RuleValue]? = nil,
    request: Request = Request(), database: Documents = Documents()
  ) -> Bool {
    decides(method, path: path, stored: stored, request: request, database: database).isAllowed
  }
}

/// Decides with one condition on an update of `/docs/d`, whose data is ``sample`` before and after.
func decision(on condition: String, database: Documents = Documents()) throws -> RuleDecision {
  try Ruleset(documents: "match /docs/{id} { allow update: if \(condition); }")
    .decides(
      .update, path: "docs/d", stored: sample, request: Request(data: sample), database: database)
}

let sample: [String: RuleValue] = [
  "name": "Ada",
  "age": .int(36),
  "score": .float(1.5),
  "tags": .list(["a", "b"]),
  "address": .map(["city": "London", "zip": .null]),
  "photo": .bytes([0, 255, 16]),
  "place": .latlng(latitude: 51.5, longitude: 0),
  // 2024-02-29 13:14:15.123456789, a Thursday
  "when": .timestamp(seconds: 1_709_212_455, nanos: 123_456_789),
  "ref": .path(["databases", "(default)", "documents", "users", "bob"]),
  "bad": .float(.nan),
]

extension RuleValue: ExpressibleByStringLiteral {
  /// So that tests can write field values plainly.
  public init(stringLiteral value: String) { self = .string(value) }
}
