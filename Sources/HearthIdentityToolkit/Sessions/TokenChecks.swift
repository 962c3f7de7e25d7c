import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// The user who presented an ID token, and how that user had signed in.
struct PresentedUser {
  var user: User
  /// Nil where the token, made by hand, does not say.
  let signInProvider: String?
  let claims: JSONObject

  /// The second factor of the session.
  var secondFactor: SignInFacts.SecondFactor? {
    guard let id = claims["firebase"]?["second_factor_identifier"]?.string,
      let provider = claims["firebase"]?["sign_in_second_factor"]?.string
    else { return nil }
    return SignInFacts.SecondFactor(identifier: id, provider: provider)
  }
}

extension Sessions {
  /// The user of the body's `idToken`, checked in the order that clients rely on.
  func userOfToken(_ context: Context) throws(APIError) -> PresentedUser {
    let token = try acceptedToken(context)
    let rules = try rules()
    let provider = try rules.provider(of: token, in: project)
    guard let localId = token.claims["user_id"]?.string,
      let user = try Accounts(in: project).user(localId: localId)
    else { throw APIError(.userNotFound) }
    try rules.checkTimes(of: token, user: user, in: project, context: context)
    if user.isDisabled { throw APIError(.userDisabled) }
    return PresentedUser(user: user, signInProvider: provider, claims: token.claims)
  }

  private func acceptedToken(_ context: Context) throws(APIError) -> PresentedToken {
    guard let token = context.presentedToken else { throw APIError(.invalidIDToken) }
    guard try project.accepts(token, whereUnsignedAreIssued: context.issuesUnsignedTokens) else {
      throw APIError(.invalidIDToken)
    }
    return token
  }
}
