package import HearthErrors
import HearthOperations
import HearthWire

/// What a password must be like, by the configuration of the tenant or of the project.
package struct PasswordPolicy: Sendable, Equatable {
  private(set) var isEnforced = false
  private(set) var forcesUpgradeOnSignIn = false
  private(set) var minimumLength: Int64 = 6
  private(set) var maximumLength: Int64 = 4096
  private var required: Set<String> = []
  private var isConfigured = false
  /// The options of the configuration, by name.
  private var configured: Set<String> = []

  /// Character classes: the option that asks for one, and its rule.
  private static let classes: [(option: String, rule: PasswordRule)] = [
    ("containsLowercaseCharacter", .lowercase), ("containsUppercaseCharacter", .uppercase),
    ("containsNumericCharacter", .digit), ("containsNonAlphanumericCharacter", .symbol),
  ]

  init(_ config: JSON?) {
    guard let config else { return }
    isConfigured = config["passwordPolicyEnforcementState"] != nil
    isEnforced = config["passwordPolicyEnforcementState"]?.string == "ENFORCE"
    forcesUpgradeOnSignIn = config["forceUpgradeOnSignin"]?.bool ?? false
    let options = config["passwordPolicyVersions"]?.array?.first?["customStrengthOptions"]
    minimumLength = options?["minPasswordLength"]?.integer ?? minimumLength
    maximumLength = options?["maxPasswordLength"]?.integer ?? maximumLength
    required = Set(Self.classes.map(\.option).filter { options?[$0]?.bool == true })
    configured = Set(options?.object?.keys ?? [])
  }

  /// The requirements that the password does not meet, as production words them.
  func missing(in password: String, _ symbols: String = PasswordRule.symbols) -> [String] {
    broken(by: password, symbols).map(\.words)
  }

  fileprivate func broken(by password: String, _ symbols: String) -> [PasswordRule] {
    let lengths: [PasswordRule] = [.atLeast(minimumLength), .atMost(maximumLength)]
    let classes = Self.classes.filter { required.contains($0.option) }.map(\.rule)
    return (lengths + classes).filter { !$0.isMet(by: password, symbols) }
  }

  /// What is enforced, as those who choose a password have to know it.
  package var rules: [PasswordRule] {
    guard isEnforced else { return [.atLeast(6)] }
    var rules = [PasswordRule.atLeast(minimumLength)]
    if maximumLength < 4096 { rules.append(.atMost(maximumLength)) }
    return rules + Self.classes.filter { required.contains($0.option) }.map(\.rule)
  }

  /// The answer of `GET /v2/passwordPolicy`.
  var json: JSONObject {
    var options = JSONObject([
      "minPasswordLength": .int(minimumLength), "maxPasswordLength": .int(maximumLength),
    ])
    for kind in Self.classes where required.contains(kind.option) {
      options.append(kind.option, value: true)
    }
    return JSONObject([
      "customStrengthOptions": .object(options),
      "schemaVersion": 1,
      "allowedNonAlphanumericCharacters": .strings(PasswordRule.symbols.map { String($0) }),
      "enforcementState": .string(isEnforced ? "ENFORCE" : "OFF"),
      "forceUpgradeOnSignin": .bool(forcesUpgradeOnSignIn),
    ])
  }

  /// The same as production answers it: characters only where one of them is asked for, and of a
  /// policy that was set only the lengths that it has.
  var effectiveJSON: JSONObject {
    var answer = json
    if !required.contains("containsNonAlphanumericCharacter") {
      answer["allowedNonAlphanumericCharacters"] = nil
    } else {
      answer["allowedNonAlphanumericCharacters"] = .strings(
        PasswordRule.recordedSymbols.map { String($0) })
    }
    if !forcesUpgradeOnSignIn { answer["forceUpgradeOnSignin"] = nil }
    if isConfigured, var options = answer["customStrengthOptions"]?.object {
      for name in ["minPasswordLength", "maxPasswordLength"] where !configured.contains(name) {
        options[name] = nil
      }
      answer["customStrengthOptions"] = .object(options)
    }
    // Without a policy of its own, a project enforces the usual one.
    if !isConfigured { answer["enforcementState"] = "ENFORCE" }
    return answer
  }

  /// Checks a configuration before it is stored.
  static func check(_ config: JSON?) throws(APIError) {
    for version in config?["passwordPolicyVersions"]?.array ?? [] {
      let options = version["customStrengthOptions"]
      let minimum = options?["minPasswordLength"]?.integer ?? 6
      let maximum = options?["maxPasswordLength"]?.integer ?? 4096
      guard (6...30).contains(minimum) else {
        throw APIError(
          .invalidConfig, detail: "Minimum password length must be between 6 and 30")
      }
      guard maximum >= minimum else {
        throw APIError(
          .invalidConfig,
          detail: "Maximum password length must be greater than or equal to the minimum password "
            + "length")
      }
      guard maximum <= 4096 else {
        throw APIError(
          .invalidConfig, detail: "Maximum password length must be less than or equal to 4096")
      }
    }
  }
}

/// What passwords of a project or tenant must be like.
package struct PasswordPolicies: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

extension PasswordPolicies {
  package func current() throws(APIError) -> PasswordPolicy {
    if let tenant = try tenant() { return PasswordPolicy(tenant.record["passwordPolicyConfig"]) }
    return PasswordPolicy(try settings().config["passwordPolicyConfig"])
  }

  /// Checks a password that is about to be set. Administrators may set what they like, as long as
  /// it is not too short for everybody.
  ///
  /// Of an account that is there, production does not ask administrators for the usual length.
  func checkNew(
    _ password: String, isUpdate: Bool = false, context: Context
  ) throws(APIError) {
    switch try answers {
    case .emulator:
      if Formats.isWeakPassword(password) { throw APIError(.weakPassword) }
      if case .admin = context.caller { return }
      try checkRequirements(password, policy: try current())
    case .production:
      if isUpdate, case .admin = context.caller {
        try checkByPolicy(password, isShortAllowed: true)
      } else {
        try checkByPolicy(password)
      }
    }
  }

  private static let longestPassword = 4096

  /// A policy that is enforced replaces the usual bounds, for administrators too.
  private func checkByPolicy(
    _ password: String, isShortAllowed: Bool = false
  ) throws(APIError) {
    let policy = try current()
    guard !policy.isEnforced else { return try checkRequirements(password, policy: policy) }
    if !isShortAllowed, Formats.isWeakPassword(password) { throw APIError(.weakPassword) }
    guard password.utf16.count <= Self.longestPassword else {
      throw APIError(
        .passwordRequirements,
        detail: "Password cannot be longer than \(Self.longestPassword) characters")
    }
  }

  /// The members `userNotifications` of a sign-in: what the password lacks, where the policy does not
  /// force a new one.
  func notifications(on password: String, policy: PasswordPolicy) throws(APIError) -> JSON? {
    guard let symbols = try recordedSymbols, policy.isEnforced, !policy.forcesUpgradeOnSignIn
    else { return nil }
    let broken = policy.broken(by: password, symbols)
    guard !broken.isEmpty else { return nil }
    return .array(
      broken.map {
        ["notificationCode": .string($0.code), "notificationMessage": .string($0.words)]
      })
  }

  /// What production takes for a symbol; nil for what the official emulator does.
  private var recordedSymbols: String? {
    get throws(APIError) {
      switch try answers {
      case .emulator: nil
      case .production: PasswordRule.recordedSymbols
      }
    }
  }

  func checkRequirements(_ password: String, policy: PasswordPolicy) throws(APIError) {
    guard policy.isEnforced else { return }
    let missing = policy.missing(in: password, try recordedSymbols ?? PasswordRule.symbols)
    guard !missing.isEmpty else { return }
    throw APIError(
      .passwordRequirements,
      detail: "Missing password requirements: [\(missing.joined(separator: ", "))]")
  }
}
