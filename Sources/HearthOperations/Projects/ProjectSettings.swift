import HearthErrors
import HearthSQLite
package import HearthWire

/// What is set for a project: the stored part of Google's `Config` message, and our switches.
package struct ProjectSettings: Sendable, Equatable {
  /// The `Config` as `GET /v2/projects/{p}/config` answers it.
  package var config: JSONObject
  /// Switches but for enumeration protection, which lives in the config.
  private var toggles: Switches

  package init(initial: Switches) {
    toggles = initial
    config = Self.defaultConfig(initial)
  }

  package static func defaultConfig(_ initial: Switches) -> JSONObject {
    JSONObject([
      "signIn": ["allowDuplicateEmails": false],
      "blockingFunctions": [:],
      "emailPrivacyConfig": [
        "enableImprovedEmailPrivacy": .bool(initial.emailEnumerationProtection)
      ],
    ])
  }

  package var switches: Switches {
    get {
      var switches = toggles
      switches.emailEnumerationProtection = hasEmailPrivacy
      return switches
    }
    set {
      toggles = newValue
      guard newValue.emailEnumerationProtection != hasEmailPrivacy else { return }
      var privacy = config["emailPrivacyConfig"]?.object ?? JSONObject()
      privacy["enableImprovedEmailPrivacy"] = .bool(newValue.emailEnumerationProtection)
      config["emailPrivacyConfig"] = .object(privacy)
    }
  }

  package var hasEmailPrivacy: Bool {
    config["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"]?.bool ?? false
  }

  package var allowsDuplicateEmails: Bool {
    config["signIn"]?["allowDuplicateEmails"]?.bool ?? false
  }

  /// The settings as production applies them to a tenant, which has its own of these.
  mutating func narrow(to tenant: JSONObject) {
    config["emailPrivacyConfig"] = tenant["emailPrivacyConfig"] ?? [:]
    config["client"] = tenant["client"] ?? [:]
    var signIn = config["signIn"]?.object ?? JSONObject()
    signIn["allowDuplicateEmails"] = false
    config["signIn"] = .object(signIn)
  }

  static func load(
    _ projectId: String, in transaction: Transaction, server: ServerFacts
  ) throws(APIError) -> ProjectSettings {
    if let known = server.settings.settings(of: projectId) { return known }
    let settings = try read(projectId, initial: server.initialSwitches, in: transaction)
    if settings.switches.answers == .production { server.noteProductionAnswers() }
    server.appCheck.note(settings.switches)
    server.settings.remember(settings, of: projectId)
    return settings
  }

  private static func read(
    _ projectId: String, initial: Switches, in transaction: Transaction
  ) throws(APIError) -> ProjectSettings {
    var settings = ProjectSettings(initial: initial)
    let row = try transaction.first(
      "SELECT config, switches FROM projects WHERE project = ?", arguments: [projectId]
    ) { (config: try JSON.parse($0[0] as String), switches: try JSON.parse($0[1] as String)) }
    guard let row else { return settings }
    settings.config = row.config.object ?? settings.config
    try settings.toggles.update(row.switches.object ?? JSONObject())
    return settings
  }

  func save(
    _ projectId: String, in transaction: Transaction, server: ServerFacts
  ) throws(APIError) {
    server.settings.forget(projectId, in: transaction)
    if switches.answers == .production { server.noteProductionAnswers() }
    server.appCheck.note(switches)
    try transaction.execute(
      "INSERT OR REPLACE INTO projects (project, config, switches) VALUES (?, ?, ?)",
      arguments: [projectId, JSON.object(config).text, toggles.json.text])
  }
}
