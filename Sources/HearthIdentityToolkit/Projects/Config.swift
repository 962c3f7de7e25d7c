import HearthErrors
import HearthOperations
import HearthWire

/// Shows the project's configuration.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects/getConfig
enum GetConfig: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(try project.namedConfig())
  }
}

extension ProjectTransaction {
  /// The configuration under its resource name, which Google's libraries do without in no answer.
  fileprivate func namedConfig() throws(APIError) -> JSONObject {
    let stored = try settings().config
    switch try answers {
    case .emulator:
      var config = JSONObject(["name": .string("projects/\(projectId)/config")])
      config.merge(stored)
      return config
    case .production:
      return IdentityPlatformConfig.shown(
        stored, of: projectId, domains: try AuthorizedDomains(in: self).authorizedDomains)
    }
  }
}

/// Changes the project's configuration, wholly or where a mask says.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects/updateConfig
enum UpdateConfig: Operation {
  struct Request: OperationRequest {
    let config: JSONObject
    let mask: FieldMask

    init(_ wire: WireRequest) {
      config = wire.body
      mask = FieldMask(wire.query["updateMask"] ?? "")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    if project.tenantId != nil {
      throw APIError(
        .hint,
        message: "((Can only update top-level configurations on agent projects.))")
    }
    let body = try checkingTriggers(request.config)
    // What a page names here, the server would call.
    if context.isOfForeignPage, body["blockingFunctions"]?["triggers"]?.object?.isEmpty == false {
      throw APIError(
        .invalidBlockingFunction,
        detail: "((A page of another origin cannot name blocking functions.))")
    }
    try PasswordPolicy.check(body["passwordPolicyConfig"])
    try SmsRegionPolicy.check(body)
    var settings = try project.settings()
    var changed: JSONObject
    switch try project.answers {
    case .emulator:
      changed = request.mask.copy(from: body, into: settings.config)
      changed["name"] = nil
    case .production:
      try IdentityPlatformConfig.check(body)
      changed = try IdentityPlatformConfig.changed(
        settings.config, mask: request.mask, update: IdentityPlatformConfig.normalized(body),
        context: context)
    }
    if request.mask.isEmpty {
      settings.replaceConfig(with: body, initial: project.server.initialSwitches)
    } else {
      settings.config = changed
    }
    settings.config = SmsRegionPolicy.settled(settings.config, after: request.mask, of: body)
    try project.save(settings)
    return .json(try project.namedConfig())
  }

  /// The body with the names of events in lower camel case: they alone of a map's keys are names
  /// of ours and come in all spellings.
  private static func checkingTriggers(_ body: JSONObject) throws(APIError) -> JSONObject {
    guard var functions = body["blockingFunctions"]?.object,
      let triggers = functions["triggers"]?.object
    else { return body }
    var plain = JSONObject()
    for (name, trigger) in triggers.members {
      let event = CamelCase.convert(name)
      guard BlockingEvent(rawValue: event) != nil else {
        throw APIError(.invalidBlockingFunction, detail: "((Event type is invalid.))")
      }
      guard let uri = trigger["functionUri"]?.string, let url = WebURL(uri),
        ["http", "https"].contains(url.scheme)
      else {
        throw APIError(
          .invalidBlockingFunction,
          detail: "((Expected an absolute URI with valid scheme and host.))")
      }
      plain[event] = trigger
    }
    functions["triggers"] = .object(plain)
    var checked = body
    checked["blockingFunctions"] = .object(functions)
    return checked
  }
}

extension ProjectSettings {
  /// A full update: the settings that the official emulator knows and the ways to sign in that are
  /// off; absent ones are back at their defaults.
  mutating func replaceConfig(with body: JSONObject, initial: Switches) {
    var replaced = config
    replaced.merge(Self.defaultConfig(initial))
    var signIn = replaced["signIn"]?.object ?? JSONObject()
    if let duplicates = body["signIn"]?["allowDuplicateEmails"] {
      signIn["allowDuplicateEmails"] = duplicates
    }
    signIn.merge(Self.switchedOff(in: body["signIn"]))
    replaced["signIn"] = .object(signIn)
    if let functions = body["blockingFunctions"] { replaced["blockingFunctions"] = functions }
    if let privacy = body["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] {
      replaced["emailPrivacyConfig"] = .members(["enableImprovedEmailPrivacy": privacy])
    }
    config = replaced
  }
}
