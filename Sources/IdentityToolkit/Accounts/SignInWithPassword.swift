import HearthCore
import HearthStore

/// Signs in with e-mail and password.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithPassword
enum SignInWithPassword: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if try project.tenant()?.allowsPasswordSignup == false {
      throw APIError(.passwordLoginDisabled)
    }
    guard let email = request.string("email") else { throw APIError(.missingEmail) }
    guard Formats.isEmail(email) else { throw APIError(.invalidEmail) }
    guard let password = request.string("password").nonEmpty else {
      throw APIError(.missingPassword)
    }
    for field in ["captchaResponse", "captchaChallenge"] where request.string(field).isGiven {
      throw .unimplemented("captcha unimplemented")
    }
    for field in ["idToken", "pendingIdToken"] where request.string(field).isGiven {
      throw .unimplemented("\(field) is no longer in use and unsupported by the Auth Emulator.")
    }
    var user = try user(Formats.canonicalEmail(email), password, project)

    if try project.asksForSecondFactor(user) {
      var pending = members(of: user)
      pending.merge(project.pendingSecondFactor(user, signInProvider: "password", context))
      return .json(pending)
    }
    user.lastLoginAt = String(context.now.milliseconds)
    return try project.signingIn(user, BlockingFacts(signInMethod: "password"), context) {
      user, signIn, project, context throws(APIError) in
      var user = user
      let tokens = try project.issueTokens(for: &user, signIn, context)
      return .answer(Answer(members(of: user), tokens: tokens))
    }
  }

  /// With enumeration protection, an unknown address and a wrong password look alike, but a
  /// disabled account shows all the same, and before the password is looked at.
  private static func user(
    _ email: String, _ password: String, _ project: ProjectTransaction
  ) throws(APIError) -> User {
    let isPrivate = try project.settings().hasEmailPrivacy
    guard let user = try project.user(email: email) else {
      throw APIError(isPrivate ? .invalidLoginCredentials : .emailNotFound)
    }
    if user.isDisabled { throw APIError(.userDisabled) }
    guard user.password?.matches(password) == true else {
      throw APIError(isPrivate ? .invalidLoginCredentials : .invalidPassword)
    }
    return user
  }

  private static func members(of user: User) -> JSONObject {
    JSONObject([
      "kind": "identitytoolkit#VerifyPasswordResponse",
      "registered": true,
      "localId": .string(user.localId),
      "email": user.email.json,
    ])
  }
}
