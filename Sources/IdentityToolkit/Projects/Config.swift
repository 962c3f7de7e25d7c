import HearthCore
import HearthStore

/// Shows the project's configuration.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects/getConfig
enum GetConfig: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    .json(try project.settings().config)
  }
}

/// Changes the project's configuration, wholly or where a mask says.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects/updateConfig
enum UpdateConfig: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    if project.tenantId != nil {
      throw APIError(
        .hint,
        message: "((Can only update top-level configurations on agent projects.))")
    }
    try checkTriggers(request.body)
    try PasswordPolicy.check(request.body["passwordPolicyConfig"])
    var settings = try project.settings()
    let mask = FieldMask(request.query["updateMask"] ?? "")
    if mask.isEmpty {
      settings.replaceConfig(with: request.body, profile: project.server.profile)
    } else {
      settings.config = mask.copy(from: request.body, into: settings.config)
    }
    try project.save(settings)
    return .json(settings.config)
  }

  private static func checkTriggers(_ body: JSONObject) throws(APIError) {
    for (event, trigger) in body["blockingFunctions"]?["triggers"]?.object?.members ?? [] {
      guard event == "beforeCreate" || event == "beforeSignIn" else {
        throw APIError(.invalidBlockingFunction, "((Event type is invalid.))")
      }
      guard let uri = trigger["functionUri"]?.string, WebURL(uri) != nil else {
        throw APIError(
          .invalidBlockingFunction, "((Expected an absolute URI with valid scheme and host.))")
      }
    }
  }
}

extension ErrorCode {
  /// For the double-parenthesised hints that are a whole message.
  static let hint = ErrorCode("((hint))")
}

extension ProjectSettings {
  /// A full update: the three settings with an effect, absent ones back at their defaults.
  mutating func replaceConfig(with body: JSONObject, profile: Switches.Profile) {
    var replaced = config
    replaced.merge(Self.defaultConfig(profile))
    if let duplicates = body["signIn"]?["allowDuplicateEmails"] {
      replaced["signIn"] = .members(["allowDuplicateEmails": duplicates])
    }
    if let functions = body["blockingFunctions"] { replaced["blockingFunctions"] = functions }
    if let privacy = body["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] {
      replaced["emailPrivacyConfig"] = .members(["enableImprovedEmailPrivacy": privacy])
    }
    config = replaced
  }
}
