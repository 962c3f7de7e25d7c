import HearthOperations
import HearthWire

extension Routes {
  private static let prefix = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"

  /// The v3 names that iOS, Android, C++ and old web clients call, and what they mean today.
  private static let names: [(old: String, path: String)] = [
    ("createAuthUri", "/identitytoolkit.googleapis.com/v1/accounts:createAuthUri"),
    ("deleteAccount", "/identitytoolkit.googleapis.com/v1/accounts:delete"),
    ("emailLinkSignin", "/identitytoolkit.googleapis.com/v1/accounts:signInWithEmailLink"),
    ("getAccountInfo", "/identitytoolkit.googleapis.com/v1/accounts:lookup"),
    ("getOobConfirmationCode", "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode"),
    ("getProjectConfig", "/identitytoolkit.googleapis.com/v1/projects"),
    ("getRecaptchaParam", "/identitytoolkit.googleapis.com/v1/recaptchaParams"),
    ("resetPassword", "/identitytoolkit.googleapis.com/v1/accounts:resetPassword"),
    ("sendVerificationCode", "/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode"),
    ("setAccountInfo", "/identitytoolkit.googleapis.com/v1/accounts:update"),
    ("signInWithGameCenter", "/identitytoolkit.googleapis.com/v1/accounts:signInWithGameCenter"),
    ("signupNewUser", "/identitytoolkit.googleapis.com/v1/accounts:signUp"),
    ("verifyAssertion", "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"),
    ("verifyClient", "/identitytoolkit.googleapis.com/v1/accounts:verifyIosClient"),
    ("verifyCustomToken", "/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken"),
    ("verifyPassword", "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword"),
    ("verifyPhoneNumber", "/identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber"),
  ]

  static let legacy: [Route] =
    names.compactMap { name in
      (accounts + configuration).first { $0.template.description == name.path }?
        .alias(at: prefix + name.old)
    } + [
      Route(
        "POST", prefix + "signOutUser", "signOutUser", .open, body: .json(message: nil),
        isLegacyAlias: true, .unimplemented),
      Route(
        "POST", prefix + "downloadAccount", "identitytoolkit.projects.accounts.batchGet",
        body: .json(message: nil), isLegacyAlias: true, .operation(LegacyDownloadAccount.self)),
      Route(
        "POST", prefix + "uploadAccount", "identitytoolkit.projects.accounts.batchCreate",
        body: .json(message: "GoogleCloudIdentitytoolkitV1UploadAccountRequest"),
        isLegacyAlias: true, .operation(BatchCreate.self)),
      Route("GET", prefix + "publicKeys", "publicKeys", .open, .served(.certificates)),
    ]
}

extension Route {
  /// The same operation under an old name.
  fileprivate func alias(at path: String) -> Route {
    Route(method, path, id, credential, body: body, query: query, isLegacyAlias: true, action)
  }
}
