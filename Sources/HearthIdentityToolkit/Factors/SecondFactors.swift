import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// The rules that all second-factor operations share.
struct SecondFactors: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

/// The rules that all second-factor operations share.
extension SecondFactors {
  private static let unsupportedProviders = ["anonymous", "phone", "custom", "gc.apple.com"]

  func requireSMSFactors() throws(APIError) {
    guard try enforcedFactors()?.allowsSMS != false else {
      throw APIError(.operationNotAllowed, detail: "SMS based MFA not enabled.")
    }
    guard let tenant = try tenant() else { return }
    let mfa = tenant.record["mfaConfig"]
    let providers = mfa?["enabledProviders"]?.array ?? []
    guard tenant.isMfaOn, providers.contains("PHONE_SMS") else {
      throw APIError(.operationNotAllowed, detail: "SMS based MFA not enabled.")
    }
  }

  /// The project always has authenticator apps; a tenant unless its `providerConfigs` say no.
  func requireTotpFactors() throws(APIError) {
    guard try enforcedFactors()?.allowsTotp != false else {
      throw APIError(.operationNotAllowed, detail: "TOTP based MFA not enabled.")
    }
    guard let tenant = try tenant() else { return }
    let configs = tenant.record["mfaConfig"]?["providerConfigs"]?.array ?? []
    let isListed = configs.contains {
      $0["totpProviderConfig"] != nil && ["ENABLED", "MANDATORY"].contains($0["state"]?.string)
    }
    guard tenant.isMfaOn, configs.isEmpty || isListed else {
      throw APIError(.operationNotAllowed, detail: "TOTP based MFA not enabled.")
    }
  }

  /// The user who wants a second factor, if their first factor allows one.
  func userEnrolling(
    idToken: String?, _ context: Context
  ) throws(APIError) -> PresentedUser {
    guard idToken.isGiven else { throw try refusal(.noIDToken) }
    let presented = try Sessions(in: project).userOfToken(context)
    if let provider = presented.signInProvider, Self.unsupportedProviders.contains(provider) {
      throw APIError(
        .unsupportedFirstFactor, detail: "MFA is not available for the given first factor.")
    }
    return presented
  }

  /// Tokens of a session whose factors have just changed.
  func answerWithTokens(
    _ user: User, signIn: SignInFacts, extra: KeyValuePairs<String, JSON?>,
    showsExpiry: Bool = false, context: Context
  ) throws(APIError) -> Outcome {
    var user = user
    let tokens = try Sessions(in: project).issueTokens(for: &user, signIn: signIn, context: context)
    var members = JSONObject([
      "idToken": "", "refreshToken": .string(tokens.refreshToken),
      "expiresIn": showsExpiry ? TokenBlock.expiresIn : nil,
    ])
    members.merge(JSONObject(extra))
    return .answer(Answer(members, sign: (["idToken"], tokens.claims)))
  }
}

extension TenantSettings {
  var isMfaOn: Bool {
    ["ENABLED", "MANDATORY"].contains(record["mfaConfig"]?["state"]?.string)
  }
}
