import HearthErrors
import HearthOperations
import HearthWire

/// The configuration of a project as production checks, changes and shows it.
enum IdentityPlatformConfig {
  /// Members that a mask can name; others are passed over.
  private static let members: Set<String> = [
    "signIn", "notification", "quota", "monitoring", "multiTenant", "authorizedDomains", "client",
    "mfa", "blockingFunctions", "recaptchaConfig", "smsRegionConfig", "autodeleteAnonymousUsers",
    "passwordPolicyConfig", "emailPrivacyConfig", "mobileLinksConfig",
  ]

  static func check(_ body: JSONObject) throws(APIError) {
    for provider in body["mfa"]?["providerConfigs"]?.array ?? [] {
      let intervals = provider["totpProviderConfig"]?["adjacentIntervals"]?.integer ?? 0
      guard (0...10).contains(intervals) else {
        throw APIError(
          .invalidAdjacentIntervalRange,
          detail: "Allowed number of adjacent intervals must be between 0 and 10, inclusive")
      }
    }
    for domain in body["authorizedDomains"]?.array?.compactMap(\.string) ?? [] {
      try checkDomain(domain)
    }
    for region in regions(of: body) where !isRegion(region) {
      throw APIError(.invalidRegionCode, detail: "Invalid region code.")
    }
  }

  /// Labels with dots between them: no scheme, port, blank or asterisk.
  private static func checkDomain(_ domain: String) throws(APIError) {
    guard !domain.isEmpty else {
      throw APIError(.invalidAuthorizedDomain, detail: "An authorized domain is empty.")
    }
    let isPlain = domain.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "."
    }
    guard isPlain else {
      throw APIError(
        .invalidAuthorizedDomain, detail: "\(domain) should only contain the valid domain.")
    }
  }

  private static func regions(of body: JSONObject) -> [String] {
    let config = body["smsRegionConfig"]
    let listed =
      (config?["allowByDefault"]?["disallowedRegions"]?.array ?? [])
      + (config?["allowlistOnly"]?["allowedRegions"]?.array ?? [])
    return listed.compactMap(\.string)
  }

  /// Two letters; the codes that nobody has been given are not regions.
  private static func isRegion(_ code: String) -> Bool {
    code.utf8.count == 2 && code.allSatisfy(\.isLetter)
      && !["AA", "QM", "XA", "ZZ"].contains(code.uppercased())
  }

  /// The update with test numbers as accounts have them.
  ///
  /// - Throws: `INVALID_PHONE_NUMBER`.
  static func normalized(_ update: JSONObject) throws(APIError) -> JSONObject {
    guard var signIn = update["signIn"]?.object, var phone = signIn["phoneNumber"]?.object,
      let numbers = phone["testPhoneNumbers"]?.object
    else { return update }
    var normalized = JSONObject()
    for (text, code) in numbers.members {
      guard let number = PhoneNumber(normalizing: text) else { throw APIError(.invalidPhoneNumber) }
      normalized[number.text] = code
    }
    phone["testPhoneNumbers"] = .object(normalized)
    signIn["phoneNumber"] = .object(phone)
    var changed = update
    changed["signIn"] = .object(signIn)
    return changed
  }

  /// The stored configuration with what the mask names: what the update lacks is taken away.
  ///
  /// - Throws: `INVALID_CONFIG` for a password policy without its one version.
  static func changed(
    _ stored: JSONObject, mask: FieldMask, update: JSONObject, context: Context
  ) throws(APIError) -> JSONObject {
    let known = FieldMask(
      paths: mask.paths.filter { members.contains(CamelCase.convert($0.first ?? "")) })
    var changed = known.replace(in: stored, from: update, cleared: .null)
    let touchesPolicy = known.paths.contains { $0.first == "passwordPolicyConfig" }
    if touchesPolicy, let policy = changed["passwordPolicyConfig"]?.object {
      guard policy["passwordPolicyVersions"]?.array?.count == 1 else {
        throw APIError(.invalidConfig, detail: "Policy versions list must be of length 1")
      }
      changed["passwordPolicyConfig"] = .object(TenantRecord.stamped(policy, context: context))
    }
    return changed
  }

  /// The configuration in an answer. The templates of mails are left out.
  static func shown(
    _ stored: JSONObject, of projectId: String, domains: [String]
  ) -> JSONObject {
    var shown = JSONObject(["name": .string("projects/\(Token.projectNumber)/config")])
    let locale = stored["notification"]?["defaultLocale"]?.string ?? "en"
    let merged = merge(stored, over: usual(projectId, domains: domains, locale: locale))
    shown.merge(merged.withoutDefaults?.object ?? JSONObject())
    if var signIn = shown["signIn"]?.object {
      signIn["hashConfig"] = TenantRecord.hashConfig
      shown["signIn"] = .object(signIn)
    }
    // The usual policy is not there beside the other one.
    if stored["smsRegionConfig"]?["allowlistOnly"]?.isNull == false {
      shown["smsRegionConfig"] = stored["smsRegionConfig"]?.withoutDefaults
    }
    if var policy = shown["passwordPolicyConfig"]?.object,
      policy[policyState]?.string == "PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED"
    {
      policy[policyState] = nil
      shown["passwordPolicyConfig"] = .object(policy)
    }
    // As recorded: here what is off is shown.
    if shown["recaptchaConfig"] == nil { shown["recaptchaConfig"] = recaptcha }
    if shown["blockingFunctions"]?.object?.isEmpty == true { shown["blockingFunctions"] = nil }
    return shown
  }

  private static let policyState = "passwordPolicyEnforcementState"

  /// The text message of a project that has set none, by its language; others were not recorded.
  private static let textMessages = [
    "en": "%LOGIN_CODE% is your verification code for %APP_NAME%.",
    "ja": "%APP_NAME% の確認コードは %LOGIN_CODE% です。",
  ]

  private static let recaptcha: JSON = [
    "emailPasswordEnforcementState": "RECAPTCHA_PROVIDER_ENFORCEMENT_STATE_UNSPECIFIED",
    "phoneEnforcementState": "RECAPTCHA_PROVIDER_ENFORCEMENT_STATE_UNSPECIFIED",
    "useSmsBotScore": false, "useSmsTollFraudProtection": false,
  ]

  private static func merge(_ stored: JSONObject, over usual: JSONObject) -> JSON {
    var merged = usual
    for (name, value) in stored.members {
      if let object = value.object, let below = usual[name]?.object {
        merged[name] = merge(object, over: below)
      } else {
        merged[name] = value
      }
    }
    return .object(merged)
  }

  /// What a project has that has set nothing.
  private static func usual(
    _ projectId: String, domains: [String], locale: String
  ) -> JSONObject {
    let site = "\(projectId).firebaseapp.com"
    let textMessage = textMessages[locale] ?? textMessages["en"] ?? ""
    return JSONObject([
      "signIn": [
        "email": ["enabled": true], "phoneNumber": ["enabled": true],
        "anonymous": ["enabled": true],
      ],
      "notification": .members([
        "sendEmail": .members([
          "method": "DEFAULT", "callbackUri": .string("https://\(site)/__/auth/action"),
          "dnsInfo": [
            "customDomainState": "NOT_STARTED",
            "domainVerificationRequestTime": "1970-01-01T00:00:00Z",
          ],
        ]),
        "sendSms": .members(["smsTemplate": .members(["content": .string(textMessage)])]),
        "defaultLocale": "en",
      ]),
      "quota": [:],
      "monitoring": ["requestLogging": [:]],
      "authorizedDomains": .strings(domains),
      "subtype": "IDENTITY_PLATFORM",
      "client": .members([
        "apiKey": .string(projectId), "permissions": [:],
        "firebaseSubdomain": .string(projectId),
      ]),
      "smsRegionConfig": ["allowByDefault": [:]],
      "emailPrivacyConfig": [:],
      "mobileLinksConfig": ["domain": "HOSTING_DOMAIN"],
      "defaultHostingSite": .string(projectId),
    ])
  }
}
