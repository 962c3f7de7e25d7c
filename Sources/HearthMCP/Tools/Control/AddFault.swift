import HearthWire

/// Makes requests of the app fail.
enum AddFault: Tool {
  static let name = "add_fault"
  static let summary = """
    Makes the app's requests fail or slow: "operation" with * for any characters, and one effect. \
    Returns all faults of the project; without arguments it lists them. "clear" removes them first.
    """
  static let example: JSON = [
    "operation": "*.signInWithPassword", "error": "TOO_MANY_ATTEMPTS_TRY_LATER", "times": 1,
  ]
  static let effect = ToolEffect.adds
  static let parameters = [
    Parameter(
      "operation", kind: .string, text: "Such as *.signUp, firestore.*, mail.deliver; * for all."),
    Parameter("error", kind: .string, text: "Effect: refuse with this code, such as UNAVAILABLE."),
    Parameter("status", kind: .whole(400...599), text: "Effect: refuse with this HTTP status."),
    Parameter("latency", kind: .string, text: "Effect: wait first, such as 2s."),
    Parameter(
      "drop", kind: .choice(["before", "after"]),
      text: "Effect: close the connection before or after the work is done."),
    Parameter(
      "times", kind: .whole(1...1_000_000), text: "How many requests to affect (default: all)."),
    Parameter("share", kind: .number, text: "Share of the requests, from 0 to 1."),
    Parameter("email", kind: .string, text: "Only requests about this address."),
    Parameter("clear", kind: .boolean, text: "Remove all faults of the project first."),
  ]

  private static let effects = ["error", "status", "latency", "drop"]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    let given = effects.filter { arguments[$0] != nil }
    let adds = arguments["operation"] != nil || !given.isEmpty
    if adds, arguments["operation"] == nil || given.count != 1 {
      throw ToolFailure(
        "A fault has \"operation\" and one of \(effects.joined(separator: ", ")).",
        next: "Call again with \(example.text)")
    }
    if arguments.bool("clear") { _ = try await project.control("DELETE", path: "/faults") }
    guard adds, let effect = given.first else {
      return try await project.control("GET", path: "/faults")
    }
    var fault = arguments.only("operation", "times", "share", "email")
    fault["effect"] = .object(JSONObject([effect: arguments[effect]]))
    return try await project.control(
      "POST", path: "/faults", body: .object(fault),
      advice: [
        "/operation": "The tool requests shows the operations of the app.",
        "": "Correct the argument that is named, and call add_fault again.",
      ])
  }
}
