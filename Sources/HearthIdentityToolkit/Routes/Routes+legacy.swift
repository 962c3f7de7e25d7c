import HearthOperations
import HearthWire

extension Routes {
  private static let prefix = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"

  /// The v3 names that iOS, Android, C++ and old web clients call, and what they mean today.
  private static let names: [(old: String, id: String)] = [
    ("createAuthUri", "accounts.createAuthUri"),
    ("deleteAccount", "accounts.delete"),
    ("emailLinkSignin", "accounts.signInWithEmailLink"),
    ("getAccountInfo", "accounts.lookup"),
    ("getOobConfirmationCode", "accounts.sendOobCode"),
    ("getProjectConfig", "getProjects"),
    ("getRecaptchaParam", "getRecaptchaParams"),
    ("resetPassword", "accounts.resetPassword"),
    ("sendVerificationCode", "accounts.sendVerificationCode"),
    ("setAccountInfo", "accounts.update"),
    ("signInWithGameCenter", "accounts.signInWithGameCenter"),
    ("signupNewUser", "accounts.signUp"),
    ("verifyAssertion", "accounts.signInWithIdp"),
    ("verifyClient", "accounts.verifyIosClient"),
    ("verifyCustomToken", "accounts.signInWithCustomToken"),
    ("verifyPassword", "accounts.signInWithPassword"),
    ("verifyPhoneNumber", "accounts.signInWithPhoneNumber"),
  ]

  static let legacy: [Route] =
    names.compactMap { name in
      (accounts + configuration).first { $0.id == "identitytoolkit." + name.id }?
        .alias(at: prefix + name.old)
    } + [
      Route(
        "POST", template: prefix + "signOutUser", id: "signOutUser", credential: .open,
        body: .json(message: nil),
        isLegacyAlias: true, action: .unimplemented, differs: [notBuiltThere]),
      Route(
        "POST", template: prefix + "downloadAccount",
        id: "identitytoolkit.projects.accounts.batchGet", body: .json(message: nil),
        isLegacyAlias: true, project: .body, action: .operation(LegacyDownloadAccount.self)),
      Route(
        "POST", template: prefix + "uploadAccount",
        id: "identitytoolkit.projects.accounts.batchCreate",
        body: .json(message: "GoogleCloudIdentitytoolkitV1UploadAccountRequest"),
        bodyBound: .accounts, isLegacyAlias: true, project: .body,
        action: .operation(BatchCreate.self)),
      Route(
        "GET", template: prefix + "publicKeys", id: "publicKeys", credential: .open,
        action: .served(.certificates), differs: ["404 there"]),
    ]
}

extension Route {
  /// The same operation under an old name.
  fileprivate func alias(at path: String) -> Route {
    Route(
      method, template: path, id: id, credential: credential, body: body, query: query,
      isLegacyAlias: true, action: action)
  }
}
