import HearthWire

/// Why rules refused a request that was made.
enum ExplainDenial: Tool {
  static let name = "explain_denial"
  static let summary = """
    Explains why security rules refused a request of the app: the latest refused one, or that with \
    an id from the tool requests. Names the line, the expression that was false, and its values.
    """
  static let example: JSON = ["request": 42]
  static let effect = ToolEffect.reads
  static let parameters = [
    Parameter(
      "request", kind: .whole(1...Int64.max),
      text: "Id of a request (default: the latest refused one).")
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    let id = try await id(arguments, in: project)
    let entry = try await project.control(
      "GET", path: "/requests/\(id)", advice: ["": "See the ids with the tool requests."])
    guard let rule = entry["rule"] else {
      throw ToolFailure(
        "Rules did not refuse request \(id): status \(entry["status"]?.text ?? ""), "
          + "\(entry["error"]?.string ?? "no error").",
        next: "See refused requests with requests and \"status\": \"403\".")
    }
    return .members([
      "request": .int(id), "operation": entry["operation"], "path": entry["shortPath"],
      "uid": entry["uid"] ?? .null, "reason": entry["reason"],
      "why": rule["allows"]?.array?.first?["because"], "allows": RuleTrace.allows(rule),
      "reads": RuleTrace.reads(rule),
      "next": "Try a change with try_rules: give it the whole changed text as \"rules\".",
    ])
  }

  private static func id(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> Int64 {
    if let id = arguments["request"]?.integer { return id }
    let log = try await project.control("GET", path: "/requests?error=PERMISSION_DENIED")
    let refused = (log["requests"]?.array ?? []).last { $0["rule"] != nil }
    guard let id = refused?["id"]?.integer else {
      throw ToolFailure(
        "Rules have refused no request in \(project.id).",
        next: "Make the request first, with query or write and \"as\", or in the app. The tool "
          + "requests shows what has arrived.")
    }
    return id
  }
}
