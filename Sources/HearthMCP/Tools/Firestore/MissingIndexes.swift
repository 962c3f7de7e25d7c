import HearthWire

/// The indexes that queries so far would need in production.
enum MissingIndexes: Tool {
  static let name = "missing_indexes"
  static let summary = """
    Lists the queries so far that production would refuse because an index is missing, each with \
    the index for firestore.indexes.json. "mode" sets how queries are checked: warn answers them, \
    enforce refuses them, off does not check.
    """
  static let example: JSON = ["mode": "warn"]
  static let effect = ToolEffect.adds
  static let parameters = [
    Parameter(
      "mode", kind: .choice(["off", "warn", "enforce"]), text: "Sets the mode of the project first."
    ),
    Parameter("database", kind: .string, text: "The database (default: \"(default)\")."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    if let mode = arguments["mode"] {
      _ = try await project.control("PATCH", path: "/switches", body: ["indexes": mode])
    }
    let database = PercentCoding.encodeComponent(arguments.string("database") ?? "(default)")
    let report = try await project.control("GET", path: "/databases/\(database)/indexes:report")
    let missing = (report["missing"]?.array ?? []).suffix(20).map { entry in
      JSON.members([
        "query": entry["query"], "reason": entry["reason"], "indexes": entry["indexes"],
        "count": entry["count"],
      ])
    }
    let isOff = report["mode"]?.string == "off"
    return .members([
      "mode": report["mode"], "missing": .array(missing),
      "next": isOff
        ? "Queries are not checked. Call missing_indexes with \"mode\": \"warn\", and run the app."
        : missing.isEmpty
          ? nil : "Add the indexes to firestore.indexes.json, or run: hearth indexes --write FILE",
    ])
  }
}
