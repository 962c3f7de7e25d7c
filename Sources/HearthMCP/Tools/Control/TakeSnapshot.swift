import HearthWire

/// Keeps the state of the project.
enum TakeSnapshot: Tool {
  static let name = "snapshot"
  static let summary = """
    Saves all that the project holds (users, mails, documents, clock, faults) under a name, to go \
    back to with restore. Without a name it lists the snapshots.
    """
  static let example: JSON = ["name": "seeded", "replace": true]
  static let effect = ToolEffect.adds
  static let parameters = [
    Parameter(
      "name", kind: .string, text: "Up to 64 letters, digits, dots, hyphens and underscores."),
    Parameter("replace", kind: .boolean, text: "Replace a snapshot of that name."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    guard arguments["name"] != nil else {
      return try await project.control("GET", path: "/snapshots")
    }
    return try await project.control(
      "POST", path: "/snapshots", body: .object(arguments.only("name", "replace")),
      advice: [
        "ALREADY_EXISTS": "Call snapshot again with \"replace\": true, or with another name.",
        "/name": "Choose a name such as seeded-1.",
      ])
  }
}
