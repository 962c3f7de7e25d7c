import HearthWire

/// Makes a project of what the project was.
enum Rewind: Tool {
  static let name = "rewind"
  static let summary = """
    Makes another project that holds the documents, users and mails as they were after a request of \
    the log, or at a time. What cannot be rebuilt is in "notRebuilt". The project itself stays.
    """
  static let example: JSON = ["request": 42]
  static let effect = ToolEffect.adds
  static let parameters = [
    Parameter(
      "request", kind: .whole(1...Int64.max), text: "The id of a request, from the tool requests."),
    Parameter(
      "time", kind: .string,
      text: "Instead of a request: a time of the project's clock, such as 2027-01-31T09:30:00Z."),
    Parameter("to", kind: .string, text: "The id of the new project (default: PROJECT-rewind)."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    try await project.control(
      "POST", path: "/rewind", body: .object(arguments.only("request", "time", "to")),
      advice: [
        "NOT_FOUND": "See the ids with the tool requests.",
        "ALREADY_EXISTS": "Choose another name in \"to\", or leave it out.",
        "/request": "Give either \"request\" or \"time\".",
      ])
  }
}
