package import HearthErrors
package import HearthWire

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
