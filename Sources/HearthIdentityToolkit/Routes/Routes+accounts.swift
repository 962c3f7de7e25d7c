import HearthOperations

extension Routes {
  /// What clients call for themselves, and Secure Token.
  static let accounts: [Route] = [
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:createAuthUri",
      "identitytoolkit.accounts.createAuthUri",
      body: .json(message: "GoogleCloudIdentitytoolkitV1CreateAuthUriRequest"),
      .operation(CreateAuthUri.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:delete",
      "identitytoolkit.accounts.delete",
      body: .json(message: "GoogleCloudIdentitytoolkitV1DeleteAccountRequest"),
      .operation(Delete.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:issueSamlResponse",
      "identitytoolkit.accounts.issueSamlResponse",
      body: .json(message: "GoogleCloudIdentitytoolkitV1IssueSamlResponseRequest"),
      .operation(IssueSamlResponse.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:lookup",
      "identitytoolkit.accounts.lookup",
      body: .json(message: "GoogleCloudIdentitytoolkitV1GetAccountInfoRequest"),
      .operation(Lookup.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:resetPassword",
      "identitytoolkit.accounts.resetPassword",
      body: .json(message: "GoogleCloudIdentitytoolkitV1ResetPasswordRequest"),
      .operation(ResetPassword.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode",
      "identitytoolkit.accounts.sendOobCode",
      body: .json(message: "GoogleCloudIdentitytoolkitV1GetOobCodeRequest"),
      .operation(SendOobCode.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode",
      "identitytoolkit.accounts.sendVerificationCode",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SendVerificationCodeRequest"),
      .operation(SendVerificationCode.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken",
      "identitytoolkit.accounts.signInWithCustomToken",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SignInWithCustomTokenRequest"),
      .operation(SignInWithCustomToken.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithEmailLink",
      "identitytoolkit.accounts.signInWithEmailLink",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SignInWithEmailLinkRequest"),
      .operation(SignInWithEmailLink.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithGameCenter",
      "identitytoolkit.accounts.signInWithGameCenter",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SignInWithGameCenterRequest"),
      .operation(SignInWithGameCenter.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp",
      "identitytoolkit.accounts.signInWithIdp",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SignInWithIdpRequest"),
      .operation(SignInWithIdp.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword",
      "identitytoolkit.accounts.signInWithPassword",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SignInWithPasswordRequest"),
      .operation(SignInWithPassword.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber",
      "identitytoolkit.accounts.signInWithPhoneNumber",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SignInWithPhoneNumberRequest"),
      .operation(SignInWithPhoneNumber.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:signUp",
      "identitytoolkit.accounts.signUp",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SignUpRequest"), .operation(SignUp.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:update",
      "identitytoolkit.accounts.update",
      body: .json(message: "GoogleCloudIdentitytoolkitV1SetAccountInfoRequest"),
      .operation(Update.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:verifyIosClient",
      "identitytoolkit.accounts.verifyIosClient",
      body: .json(message: "GoogleCloudIdentitytoolkitV1VerifyIosClientRequest"),
      .operation(VerifyIosClient.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts:revokeToken",
      "identitytoolkit.accounts.revokeToken",
      body: .json(message: "GoogleCloudIdentitytoolkitV2RevokeTokenRequest"),
      .operation(RevokeToken.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:finalize",
      "identitytoolkit.accounts.mfaEnrollment.finalize",
      body: .json(message: "GoogleCloudIdentitytoolkitV2FinalizeMfaEnrollmentRequest"),
      .operation(MfaEnrollmentFinalize.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:start",
      "identitytoolkit.accounts.mfaEnrollment.start",
      body: .json(message: "GoogleCloudIdentitytoolkitV2StartMfaEnrollmentRequest"),
      .operation(MfaEnrollmentStart.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:withdraw",
      "identitytoolkit.accounts.mfaEnrollment.withdraw",
      body: .json(message: "GoogleCloudIdentitytoolkitV2WithdrawMfaRequest"),
      .operation(MfaEnrollmentWithdraw.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize",
      "identitytoolkit.accounts.mfaSignIn.finalize",
      body: .json(message: "GoogleCloudIdentitytoolkitV2FinalizeMfaSignInRequest"),
      .operation(MfaSignInFinalize.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:start",
      "identitytoolkit.accounts.mfaSignIn.start",
      body: .json(message: "GoogleCloudIdentitytoolkitV2StartMfaSignInRequest"),
      .operation(MfaSignInStart.self)),
    Route(
      "POST", "/securetoken.googleapis.com/v1/token", "securetoken.token", .keyOnly,
      body: .jsonOrForm(message: "GrantTokenRequest"), .operation(Token.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/passkeyEnrollment:start",
      "identitytoolkit.accounts.passkeyEnrollment.start", .keyOnly,
      body: .json(message: "GoogleCloudIdentitytoolkitV2StartPasskeyEnrollmentRequest"),
      .operation(PasskeyEnrollmentStart.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/passkeyEnrollment:finalize",
      "identitytoolkit.accounts.passkeyEnrollment.finalize", .keyOnly,
      body: .json(message: "GoogleCloudIdentitytoolkitV2FinalizePasskeyEnrollmentRequest"),
      .operation(PasskeyEnrollmentFinalize.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/passkeySignIn:start",
      "identitytoolkit.accounts.passkeySignIn.start", .keyOnly,
      body: .json(message: "GoogleCloudIdentitytoolkitV2StartPasskeySignInRequest"),
      .operation(PasskeySignInStart.self)),
    Route(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/passkeySignIn:finalize",
      "identitytoolkit.accounts.passkeySignIn.finalize", .keyOnly,
      body: .json(message: "GoogleCloudIdentitytoolkitV2FinalizePasskeySignInRequest"),
      .operation(PasskeySignInFinalize.self)),
  ]
}
