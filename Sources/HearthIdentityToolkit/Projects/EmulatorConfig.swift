package import HearthErrors
package import HearthOperations
package import HearthWire

/// Shows the two settings that the official emulator lets anybody change.
package enum GetEmulatorConfig: Operation {
  package static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(try project.settings().emulatorConfig)
  }
}

/// Changes the settings that the body names; an empty body changes nothing.
package enum UpdateEmulatorConfig: Operation {
  package struct Request: OperationRequest {
    let config: JSONObject

    package init(_ wire: WireRequest) { config = wire.body }
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(try project.updateSettings(withEmulatorConfig: request.config).emulatorConfig)
  }
}

extension ProjectTransaction {
  /// Takes over the settings that the document names.
  package func updateSettings(
    withEmulatorConfig config: JSONObject
  ) throws(APIError) -> ProjectSettings {
    var settings = try settings()
    let mask = FieldMask(paths: [
      ["signIn", "allowDuplicateEmails"], ["emailPrivacyConfig", "enableImprovedEmailPrivacy"],
    ])
    settings.config = mask.copy(from: config, into: settings.config)
    try save(settings)
    return settings
  }
}

extension ProjectSettings {
  package var emulatorConfig: JSONObject {
    JSONObject([
      "signIn": ["allowDuplicateEmails": .bool(allowsDuplicateEmails)],
      "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(hasEmailPrivacy)],
    ])
  }
}
