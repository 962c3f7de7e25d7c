import HearthOperations

extension Routes {
  /// What clients call for themselves, and Secure Token.
  static let accounts: [Route] = accountsOfV1 + accountsOfV2 + [secureToken] + passkeys

  private static let accountsOfV1: [Route] = {
    let v1 = Routes.v1.with(\.strictTenants)
    return [
      v1.post(
        "accounts:createAuthUri", operation: CreateAuthUri.self, takes: "CreateAuthUriRequest",
        differs: "answers for providers, also for unknown ones (501 there)",
        switches: [\.emailEnumerationProtection]),
      v1.post(
        "accounts:delete", operation: Delete.self, takes: "DeleteAccountRequest",
        switches: [\.acceptUnsignedTokens, \.tokenExpiry, \.recentLogin]),
      v1.post(
        "accounts:issueSamlResponse", operation: IssueSamlResponse.self,
        takes: "IssueSamlResponseRequest", differs: notBuiltThere),
      v1.post(
        "accounts:lookup", operation: Lookup.self, takes: "GetAccountInfoRequest",
        differs: "`initialEmail`", plainPasswords,
        "the first of two accounts with one federated id",
        switches: [\.acceptUnsignedTokens, \.tokenExpiry]),
      v1.post(
        "accounts:resetPassword", operation: ResetPassword.self, takes: "ResetPasswordRequest",
        differs: policies, "ends refresh tokens too", switches: [\.codeExpiry]),
      v1.post(
        "accounts:sendOobCode", operation: SendOobCode.self, takes: "GetOobCodeRequest",
        differs: "a message in the mailbox", "`lang` of the link follows the locale",
        "`INVALID_NEW_EMAIL` for a malformed one", "asks `beforeSendEmail`",
        switches: [
          \.emailEnumerationProtection, \.acceptUnsignedTokens, \.tokenExpiry, \.rateLimits,
          \.authorizedDomains,
        ]),
      v1.post(
        "accounts:sendVerificationCode", operation: SendVerificationCode.self,
        takes: "SendVerificationCodeRequest",
        differs: "a message in the mailbox", "test phone numbers", "asks `beforeSendSms`"),
      v1.post(
        "accounts:signInWithCustomToken", operation: SignInWithCustomToken.self,
        takes: "SignInWithCustomTokenRequest", differs: tokens, switches: [\.acceptUnsignedTokens]),
      v1.post(
        "accounts:signInWithEmailLink", operation: SignInWithEmailLink.self,
        takes: "SignInWithEmailLinkRequest", differs: tokens, switches: [\.codeExpiry]),
      v1.post(
        "accounts:signInWithGameCenter", operation: SignInWithGameCenter.self,
        takes: "SignInWithGameCenterRequest", differs: notBuiltThere),
      v1.post(
        "accounts:signInWithIdp", operation: SignInWithIdp.self, takes: "SignInWithIdpRequest",
        differs: tokens, "`pendingToken` after a SAML conflict", "configured providers",
        "accounts keep a SAML address in lower case",
        "access tokens without claims (501 there), `oauthTokenSecret`",
        "the name in Apple's `user`", switches: [\.strictProviders]),
      v1.post(
        "accounts:signInWithPassword", operation: SignInWithPassword.self,
        takes: "SignInWithPasswordRequest", differs: tokens, "policies", "imported hashes work",
        "`captchaResponse` is taken (501 there)",
        switches: [\.emailEnumerationProtection, \.rateLimits]),
      v1.post(
        "accounts:signInWithPhoneNumber", operation: SignInWithPhoneNumber.self,
        takes: "SignInWithPhoneNumberRequest", differs: tokens, "`REAUTH` makes no account",
        switches: [\.codeExpiry, \.rateLimits]),
      v1.post(
        "accounts:signUp", operation: SignUp.self, takes: "SignUpRequest", differs: tokens,
        policies, "a password for the account's own address",
        "an administrator's empty `localId` counts as missing"),
      v1.post(
        "accounts:update", operation: Update.self, takes: "SetAccountInfoRequest", differs: tokens,
        policies, "ends refresh tokens too", "the old address gets a mail about a redeemed change",
        "`linkProviderUserInfo` of `password` is passed over",
        switches: [\.acceptUnsignedTokens, \.tokenExpiry, \.codeExpiry, \.recentLogin]),
      v1.post(
        "accounts:verifyIosClient", operation: VerifyIosClient.self,
        takes: "VerifyIosClientRequest", differs: notBuiltThere),
    ]
  }()

  private static let accountsOfV2: [Route] = {
    let v2 = Routes.v2.with(\.strictTenants)
    let factors = ["authenticator apps (TOTP)", "test phone numbers"]
    func factor(
      _ path: String, operation: any Operation.Type, takes message: String,
      differs: [String] = [], switches: [any Switches.Toggle] = []
    ) -> Route {
      v2.row(
        "POST", path: "accounts/" + path, action: .operation(operation),
        body: .json(message: "GoogleCloudIdentitytoolkitV2" + message),
        differs: differs + factors, switches: switches)
    }
    return [
      v2.post(
        "accounts:revokeToken", operation: RevokeToken.self, takes: "RevokeTokenRequest",
        differs: notBuiltThere),
      factor(
        "mfaEnrollment:finalize", operation: MfaEnrollmentFinalize.self,
        takes: "FinalizeMfaEnrollmentRequest",
        differs: [tokens], switches: [\.codeExpiry, \.rateLimits]),
      factor(
        "mfaEnrollment:start", operation: MfaEnrollmentStart.self,
        takes: "StartMfaEnrollmentRequest", differs: ["asks `beforeSendSms`"]),
      factor(
        "mfaEnrollment:withdraw", operation: MfaEnrollmentWithdraw.self,
        takes: "WithdrawMfaRequest", differs: [tokens]),
      factor(
        "mfaSignIn:finalize", operation: MfaSignInFinalize.self, takes: "FinalizeMfaSignInRequest",
        differs: [tokens], switches: [\.codeExpiry, \.rateLimits]),
      factor(
        "mfaSignIn:start", operation: MfaSignInStart.self, takes: "StartMfaSignInRequest",
        differs: ["asks `beforeSendSms`"]),
    ]
  }()

  private static let secureToken = Route(
    "POST", template: "/securetoken.googleapis.com/v1/token", id: "securetoken.token",
    credential: .keyOnly, body: .jsonOrForm(message: "GrantTokenRequest"),
    action: .operation(Token.self), differs: [tokens])

  private static let passkeys: [Route] = {
    let v2 = Routes.v2.with(.keyOnly).with(\.strictTenants)
    return [
      v2.post(
        "accounts/passkeyEnrollment:start", operation: PasskeyEnrollmentStart.self,
        takes: "StartPasskeyEnrollmentRequest"),
      v2.post(
        "accounts/passkeyEnrollment:finalize", operation: PasskeyEnrollmentFinalize.self,
        takes: "FinalizePasskeyEnrollmentRequest", differs: tokens),
      v2.post(
        "accounts/passkeySignIn:start", operation: PasskeySignInStart.self,
        takes: "StartPasskeySignInRequest"),
      v2.post(
        "accounts/passkeySignIn:finalize", operation: PasskeySignInFinalize.self,
        takes: "FinalizePasskeySignInRequest", differs: tokens),
    ]
  }()
}
