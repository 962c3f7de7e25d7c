import HearthOperations
import HearthWire

/// How each operation differs from the official emulator, as the table of the guide `Differences.md`.
///
/// Operations and their state come from the route table, switches from the list of switches. This file has the
/// remarks.
package enum Differences {
  /// The Markdown table: one line for each operation, its several addresses taken together.
  package static var markdown: String {
    var lines = ["| operation | compared | what differs | switches |", "|---|---|---|---|"]
    for operation in operations {
      let switches = operation.switches.map { "`\($0)`" }.joined(separator: ", ")
      lines.append(
        "| `\(operation.name)` | \(operation.verdict.rawValue) | "
          + "\(operation.remarks.joined(separator: "; ")) | \(switches) |")
    }
    return lines.joined(separator: "\n")
  }

  enum Verdict: String {
    case same = "same"
    case closer = "closer to production"
    case missing = "missing: 501"
  }

  struct Operation {
    let name: String
    let verdict: Verdict
    let remarks: [String]
    let switches: [String]
  }

  /// The operations that the official emulator has a name for, in the order of the table.
  static var operations: [Operation] {
    var seen: Set<String> = []
    return RouteCatalogue.all.compactMap { route in
      guard let name = name(of: route), seen.insert(name).inserted else { return nil }
      var remarks: [String] = []
      if notBuiltThere.contains(where: { matches(name, $0) }) { remarks.append("501 there") }
      remarks += permanent.filter { matches(name, $0.operations) }.map(\.remark)
      let switches = Switches.toggles.map(\.name).filter { toggle in
        switched[toggle, default: []].contains { matches(name, $0) }
      }
      let isSame = remarks.isEmpty && switches.allSatisfy { !alwaysOn.contains($0) }
      let isMissing = !route.isImplemented || refused.contains(name)
      let verdict: Verdict = isMissing ? .missing : isSame ? .same : .closer
      return Operation(name: name, verdict: verdict, remarks: remarks, switches: switches)
    }
  }

  /// Operations that have a route and answer 501 all the same.
  private static let refused: Set = ["documents.executePipeline"]

  /// Switches whose initial value differs from the official emulator.
  private static let alwaysOn: Set = ["tokenExpiry", "codeExpiry"]

  /// The operation's name without its scope; nil for an operation that only Hearth has.
  private static func name(of route: Route) -> String? {
    var name = route.id[...]
    guard !["hearth.", "keys.", "emulator.ready"].contains(where: name.hasPrefix) else {
      return nil
    }
    for scope in ["identitytoolkit.", "firestore.projects.databases.", "projects."]
    where name.hasPrefix(scope) {
      name = name.dropFirst(scope.count)
    }
    let inTenant = name.hasPrefix("tenants.") ? name.dropFirst("tenants.".count) : ""
    if scopedToTenants.contains(where: inTenant.hasPrefix) { name = inTenant }
    return name == "accounts" ? "accounts.signUp" : String(name)
  }

  /// Operations that exist for a project and, under a longer path, for a tenant.
  private static let scopedToTenants = [
    "accounts", "createSessionCookie", "defaultSupportedIdpConfigs.", "inboundSamlConfigs.",
    "oauthIdpConfigs.",
  ]

  /// A pattern is a name, or a prefix followed by a star; several are separated by spaces.
  private static func matches(_ name: String, _ patterns: String) -> Bool {
    patterns.split(separator: " ").contains { pattern in
      pattern.last == "*" ? name.hasPrefix(pattern.dropLast()) : name == pattern
    }
  }

  private static let notBuiltThere = [
    "accounts.issueSamlResponse accounts.signInWithGameCenter accounts.verifyIosClient",
    "accounts.revokeToken getSessionCookiePublicKeys defaultSupportedIdps.list",
    "getPasswordPolicy getRecaptchaConfig identityPlatform.initializeAuth",
    "tenants.getIamPolicy tenants.setIamPolicy tenants.testIamPermissions signOutUser",
    "defaultSupportedIdpConfigs.* inboundSamlConfigs.* oauthIdpConfigs.*",
  ]

  private static let permanent: [(operations: String, remark: String)] = [
    (
      """
      accounts.signUp accounts.signInWithPassword accounts.signInWithEmailLink accounts.update \
      accounts.signInWithCustomToken accounts.signInWithIdp accounts.signInWithPhoneNumber \
      accounts.mfaEnrollment.finalize accounts.mfaSignIn.finalize accounts.passkeySignIn.finalize \
      accounts.mfaEnrollment.withdraw accounts.passkeyEnrollment.finalize securetoken.token
      """,
      "signed tokens, opaque refresh tokens"
    ),
    ("createSessionCookie", "signed cookies"),
    ("accounts.signUp accounts.update accounts.resetPassword", "password policies"),
    ("accounts.update accounts.resetPassword", "ends refresh tokens too"),
    ("accounts.signInWithPassword", "policies; imported hashes work"),
    (
      "accounts.batchCreate",
      "foreign hashes are kept, of bounded cost; a user is written whole or not at all; addresses "
        + "are compared in lower case; letters in a phone number are refused"
    ),
    ("accounts.sendOobCode accounts.sendVerificationCode", "a message in the mailbox"),
    ("accounts.lookup", "`initialEmail`"),
    ("accounts.lookup accounts.query queryAccounts accounts.batchGet", "no clear-text passwords"),
    ("accounts.query queryAccounts", "expression, limit, offset, sorting"),
    ("accounts.createAuthUri", "answers for providers, also for unknown ones (501 there)"),
    (
      "accounts.signInWithIdp",
      "`pendingToken` after a SAML conflict; configured providers; accounts keep a SAML address in "
        + "lower case"
    ),
    ("publicKeys", "404 there"),
    ("accounts.mfaEnrollment.* accounts.mfaSignIn.*", "authenticator apps (TOTP)"),
    ("accounts.sendVerificationCode accounts.mfa*", "test phone numbers"),
    ("emulator.projects.config.update", "`{}` changes nothing"),
    (
      "getConfig updateConfig",
      "`name`; password policies, mail templates and test numbers have an effect; functions at "
        + "http and https addresses only"
    ),
    ("tenants.create", "password policies have an effect; `emailPrivacyConfig` is kept"),
    ("tenants.patch", "password policies, and test numbers where a mask names them"),
    ("emulator.action", "a page for browsers, which works without scripts"),
    ("documents.listen documents.write", "over gRPC and WebChannel; plain REST answers 501"),
    (
      "documents.beginTransaction documents.commit",
      "two transactions that wait for each other are decided at once; the switch `transactions`"
    ),
    (
      "emulator.firestore.clear",
      "does not wait for open transactions: they are ABORTED at their next use"
    ),
    (
      "documents.listen",
      "judged again at once when rules or what they look up change, not at the next change"
    ),
    (
      "documents.createDocument documents.patch documents.commit documents.batchWrite",
      "strict JSON; updated fields keep their places"
    ),
    (
      "documents.commit documents.batchWrite documents.batchGet",
      "documents of one database; limits of production also for transforms"
    ),
    ("documents.runQuery", "vectors within maps are found"),
    (
      "documents.get",
      "lists with `showMissing` heed the mask, and missing documents have no times"
    ),
    ("documents.runAggregationQuery", "sums without rounding; more than 5 aggregations are a 400"),
    (
      "emulator.firestore.setSecurityRules emulator.firestore.setDatabaseRules",
      "`ignore_errors` keeps the old rules; no warnings about types (decision 0031); databases "
        + "without rules have those of the project"
    ),
    ("accounts.sendOobCode", "`lang` of the link follows the locale"),
    ("emulator.auth.handler", "other pages cannot frame it"),
    ("emulator.firestore.indexUsage", "always empty"),
    ("emulator.firestore.shutdown", "refuses web pages; 403 under `hearth exec`"),
  ]

  /// What each switch changes.
  private static let switched: [String: [String]] = [
    "emailEnumerationProtection": [
      "accounts.signInWithPassword accounts.sendOobCode accounts.createAuthUri"
    ],
    "acceptUnsignedTokens": [
      "accounts.signInWithCustomToken accounts.lookup accounts.update accounts.delete",
      "accounts.sendOobCode createSessionCookie documents.*",
    ],
    "tokenExpiry": [
      "accounts.lookup accounts.update accounts.delete accounts.sendOobCode createSessionCookie",
      "documents.*",
    ],
    "codeExpiry": [
      "accounts.resetPassword accounts.update accounts.signInWithEmailLink",
      "accounts.signInWithPhoneNumber accounts.mfaEnrollment.finalize",
      "accounts.mfaSignIn.finalize",
    ],
    "rateLimits": [
      "accounts.signInWithPassword accounts.sendOobCode accounts.signInWithPhoneNumber",
      "accounts.mfaEnrollment.finalize accounts.mfaSignIn.finalize",
    ],
    "recentLogin": ["accounts.update accounts.delete"],
    "authorizedDomains": ["accounts.sendOobCode"],
    "strictTenants": ["accounts* createSessionCookie tenants.*"],
    "strictProviders": ["accounts.signInWithIdp"],
  ]
}
