import HearthWire

/// Moves the project's clock.
enum AdvanceClock: Tool {
  static let name = "advance_clock"
  static let summary = """
    Moves the project's clock, so that codes, tokens and sessions expire without waiting. Returns \
    the time; "by": "0s" changes nothing.
    """
  static let example: JSON = ["by": "2h"]
  static let effect = ToolEffect.adds
  static let parameters = [
    Parameter("by", kind: .string, text: "A duration: 90s, 2h, 1d12h, or PT2H."),
    Parameter("to", kind: .string, text: "A time instead: 2027-01-31T09:30:00Z."),
    Parameter("frozen", kind: .boolean, text: "true stops the clock, false lets it go on."),
    Parameter("reset", kind: .boolean, text: "Back to the machine's time."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    let isReset = arguments.bool("reset")
    guard isReset || ["by", "to", "frozen"].contains(where: { arguments[$0] != nil }) else {
      throw ToolFailure(
        "advance_clock needs one of \"by\", \"to\", \"frozen\" and \"reset\".",
        next: "Call again with \(example.text), or with {\"by\": \"0s\"} to see the time.")
    }
    if isReset { _ = try await project.control("DELETE", path: "/clock") }
    var change = arguments.only("frozen")
    change["advance"] = arguments["by"]
    change["now"] = arguments["to"]
    guard !change.isEmpty else { return try await project.control("GET", path: "/clock") }
    return try await project.control(
      "PATCH", path: "/clock", body: .object(change),
      advice: [
        "/advance": "Write \"by\" as 90s, 2h, 1d12h or PT2H.",
        "/now": "Write \"to\" as 2027-01-31T09:30:00Z.",
      ])
  }
}
