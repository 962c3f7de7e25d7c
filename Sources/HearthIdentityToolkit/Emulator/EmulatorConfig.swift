import HearthErrors
import HearthOperations
import HearthWire

/// Shows the two settings that the official emulator lets anybody change.
enum GetEmulatorConfig: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    .json(try project.settings().emulatorConfig)
  }
}

/// Changes the settings that the body names; an empty body changes nothing.
enum UpdateEmulatorConfig: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    var settings = try project.settings()
    let mask = FieldMask(paths: [
      ["signIn", "allowDuplicateEmails"], ["emailPrivacyConfig", "enableImprovedEmailPrivacy"],
    ])
    settings.config = mask.copy(from: request.body, into: settings.config)
    try project.save(settings)
    return .json(settings.emulatorConfig)
  }
}

extension ProjectSettings {
  var emulatorConfig: JSONObject {
    JSONObject([
      "signIn": ["allowDuplicateEmails": .bool(allowsDuplicateEmails)],
      "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(hasEmailPrivacy)],
    ])
  }
}
