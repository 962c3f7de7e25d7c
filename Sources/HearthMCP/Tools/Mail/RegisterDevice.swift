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
    Parameter("token", .string, "The token (default: a new one)."),
    Parameter("platform", .choice(["android", "ios", "web"]), "Default: android."),
    Parameter(
      "state",
      .choice([
        "registered", "unregistered", "senderIdMismatch", "quotaExceeded", "thirdPartyAuthError",
        "invalidArgument", "unavailable", "internalError",
      ]), "What a send to it ends with (default: registered)."),
    Parameter("topics", .list, "Names of the topics that it subscribes to."),
    Parameter("name", .string, "What the mailbox calls it."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    try await project.control(
      "POST", "/devices",
      .object(arguments.only("token", "platform", "state", "topics", "name")))
  }
}
