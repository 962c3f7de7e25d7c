import HearthCore
import HearthStore

/// Sign-in with the app's own functions in between.
extension ProjectTransaction {
  /// The end of a sign-in: the user, not stored yet, and how they signed in.
  typealias Finish =
    @Sendable (User, SignInFacts, ProjectTransaction, Context) throws(APIError) -> Outcome

  /// A new user: `beforeCreate` sees them unstored, then they are stored, then `beforeSignIn`.
  func signingUp(
    _ user: User, _ facts: BlockingFacts, _ context: Context, finish: @escaping Finish
  ) throws(APIError) -> Outcome {
    try blocking(.beforeCreate, user, facts, context) {
      changes, project, context throws(APIError) in
      var user = user
      try changes.apply(to: &user)
      try project.requireUnused(user)
      try project.save(&user)
      project.tellCreated(user, context)
      if user.isDisabled { throw APIError(.userDisabled).keepingWrites }
      return try project.signingIn(user, facts, context, finish: finish)
    }
  }

  /// A known user. What `beforeSignIn` wants changed is stored even where it disables the user.
  func signingIn(
    _ user: User, _ facts: BlockingFacts, _ context: Context, finish: @escaping Finish
  ) throws(APIError) -> Outcome {
    try blocking(.beforeSignIn, user, facts, context) {
      changes, project, context throws(APIError) in
      var user = user
      try changes.apply(to: &user)
      if user.isDisabled {
        try project.save(&user)
        throw APIError(.userDisabled).keepingWrites
      }
      let signIn = SignInFacts(
        facts.provider, extraClaims: changes.sessionClaims, attributes: facts.signInAttributes)
      return try finish(user, signIn, project, context)
    }
  }

  /// While a function was asked, somebody else may have taken the address.
  private func requireUnused(_ user: User) throws(APIError) {
    if let email = user.email, let owner = try self.user(email: email),
      owner.localId != user.localId
    {
      throw APIError(.emailExists)
    }
  }
}

extension BlockingFacts {
  /// `firebase.sign_in_provider`: an e-mail link counts as the address's password.
  var provider: String { signInMethod == "emailLink" ? "password" : signInMethod }
}
