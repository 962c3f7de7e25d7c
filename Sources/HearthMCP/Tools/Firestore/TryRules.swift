import HearthWire

/// Tries rules on a request that nobody makes.
enum TryRules: Tool {
  static let name = "try_rules"
  static let summary = """
    Evaluates security rules for a request that is not made, and says which expression decided. \
    "rules" tries another text than the rules in force, without loading it.
    """
  static let example: JSON = ["method": "get", "path": "users/ann", "uid": "bob"]
  static let effect = ToolEffect.reads
  static let parameters = [
    Parameter(
      "method", kind: .choice(["get", "list", "create", "update", "delete"]), text: "What is done.",
      isRequired: true),
    Parameter(
      "path", kind: .string, text: "Path of a document; of a collection for list.", isRequired: true
    ),
    Parameter("uid", kind: .string, text: "Uid of the caller (default: not signed in)."),
    Parameter("claims", kind: .object, text: "Claims of the token, with \"uid\"."),
    Parameter("data", kind: .object, text: "The document as a write would leave it."),
    Parameter(
      "resource", kind: .object, text: "The document before the request (default: the stored one)."),
    Parameter("rules", kind: .string, text: "The rules to try (default: the rules in force)."),
    Parameter("database", kind: .string, text: "The database (default: \"(default)\")."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    var body = arguments.only("method", "path", "data", "resource", "rules", "database")
    body["auth"] =
      arguments["uid"].map { .members(["uid": $0, "token": arguments["claims"] ?? [:]]) } ?? .null
    let answer = try await project.control("POST", path: "/rules:evaluate", body: .object(body))
    if let errors = answer["errors"]?.array {
      let lines = errors.prefix(10).map {
        "\(RuleTrace.place($0)) \($0["message"]?.string ?? "")"
      }
      throw ToolFailure(
        "The rules do not load:\n\(lines.joined(separator: "\n"))",
        next: "Correct the text of \"rules\" and call try_rules again.")
    }
    return .members([
      "allowed": answer["allowed"], "reason": answer["reason"], "matched": answer["matched"],
      "allows": RuleTrace.allows(answer), "reads": RuleTrace.reads(answer),
    ])
  }
}
