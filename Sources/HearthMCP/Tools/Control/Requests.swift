import HearthWire

/// What the app has asked for.
enum Requests: Tool {
  static let name = "requests"
  static let summary = """
    Lists the app's latest requests to Auth and Firestore with status, error and reason; or one \
    request with its body and answer. Secrets are hidden.
    """
  static let example: JSON = ["status": "failed", "limit": 5]
  static let effect = ToolEffect.reads
  static let parameters = [
    Parameter("status", kind: .string, text: "403, 4xx, or failed for all from 400 on."),
    Parameter(
      "operation", kind: .string, text: "An operation, with * for any characters: *.signUp"),
    Parameter(
      "search", kind: .string, text: "A part of the path, the operation, the uid or the error."),
    Parameter("limit", kind: .whole(1...50), text: "The most requests to return (default: 10)."),
    Parameter("request", kind: .whole(1...Int64.max), text: "The id of one request."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    if let id = arguments["request"]?.integer {
      let entry = try await project.control(
        "GET", path: "/requests/\(id)",
        advice: ["": "See the ids with requests and without \"request\"."]
      )
      return whole(entry)
    }
    var query = FormFields()
    let fields = [
      ("status", arguments.string("status")), ("operation", arguments.string("operation")),
      ("q", arguments.string("search")),
      ("limit", String(arguments.whole("limit", default: 10))),
    ]
    for case (let name, let value?) in fields {
      query.pairs.append(FormFields.Pair(name: name, value: value))
    }
    let answer = try await project.control("GET", path: "/requests?\(query.text)")
    let entries = answer["requests"]?.array ?? []
    let advice =
      "No request matches in \(project.id). Is the app set to the emulator, and to this project? "
      + "FIREBASE_AUTH_EMULATOR_HOST and FIRESTORE_EMULATOR_HOST tell SDKs."
    return .members([
      "requests": .array(entries.map(brief)), "next": entries.isEmpty ? .string(advice) : nil,
    ])
  }

  private static func brief(_ entry: JSON) -> JSON {
    .members([
      "id": entry["id"], "time": entry["time"], "operation": entry["operation"],
      "path": entry["shortPath"], "uid": entry["uid"], "status": entry["status"],
      "error": entry["error"],
      "reason": entry["reason"]?.string.map { .string($0.shortened(to: 300)) },
      "fault": entry["fault"],
    ])
  }

  /// With bodies of a bounded length, and without the trees of rules, which explain_denial has.
  private static func whole(_ entry: JSON) -> JSON {
    var object = JSONObject()
    for (key, value) in entry.object?.members ?? [] where !["rule", "headers"].contains(key) {
      let text = value.text
      object.append(key, value: text.utf8.count > 4000 ? .string(text.shortened(to: 4000)) : value)
    }
    return .object(object)
  }
}
