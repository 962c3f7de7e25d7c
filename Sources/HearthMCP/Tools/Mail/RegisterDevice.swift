import HearthWire

/// Registers a device that gets push messages.
enum RegisterDevice: Tool {
  static let name = "register_device"
  static let summary = """
    Registers a device for push messages (FCM), or changes the one with the token, and returns it. \
    "state" makes sends to it fail as in production.
    """
  static let example: JSON = ["platform": "ios", "topics": ["news"]]
  static let effect = ToolEffect.adds
  static let parameters = [
    Parameter("token", kind: .string, text: "The token (default: a new one)."),
    Parameter("platform", kind: .choice(["android", "ios", "web"]), text: "Default: android."),
    Parameter(
      "state",
      kind: .choice([
        "registered", "unregistered", "senderIdMismatch", "quotaExceeded", "thirdPartyAuthError",
        "invalidArgument", "unavailable", "internalError",
      ]), text: "What a send to it ends with (default: registered)."),
    Parameter("topics", kind: .list, text: "Names of the topics that it subscribes to."),
    Parameter("name", kind: .string, text: "What the mailbox calls it."),
    Parameter(
      "language", kind: .string, text: "What it shows localisation keys in, such as de or pt-BR."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    try await project.control(
      "POST", path: "/devices",
      body: .object(arguments.only("token", "platform", "state", "topics", "name", "language")))
  }
}
