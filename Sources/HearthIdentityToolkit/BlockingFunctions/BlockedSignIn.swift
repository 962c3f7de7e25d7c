import HearthErrors
import HearthOperations

/// Sign-in with the app's own functions in between.
extension BlockingFunctions {
  /// The end of a sign-in: the user, not stored yet, and how they signed in.
  typealias Finish =
    @Sendable (User, SignInFacts, ProjectTransaction, Context) throws(APIError) -> Outcome

  /// A new user: `beforeCreate` sees them unstored, then they are stored, then `beforeSignIn`.
  func signingUp(
    _ user: User, facts: BlockingFacts, context: Context, finish: @escaping Finish
  ) throws(APIError) -> Outcome {
    let isAsked = try mayBlock(.beforeCreate)
    return try blocking(.beforeCreate, user: user, facts: facts, context: context) {
      changes, project, context throws(APIError) in
      var user = user
      try changes.apply(to: &user)
      if isAsked { try BlockingFunctions(in: project).requireUnused(user, since: nil) }
      try Attempts(in: project).spend(.signUp, context: context)
      try Accounts(in: project).save(&user)
      Accounts(in: project).publishCreated(user, context: context)
      if user.isDisabled { throw APIError(.userDisabled).keepingWrites }
      return try BlockingFunctions(in: project).signingIn(
        user, facts: facts, context: context, finish: finish)
    }
  }

  /// A known user. What `beforeSignIn` wants changed is stored even where it disables the user.
  func signingIn(
    _ user: User, facts: BlockingFacts, context: Context, finish: @escaping Finish
  ) throws(APIError) -> Outcome {
    let isAsked = try mayBlock(.beforeSignIn)
    let before = isAsked ? try Accounts(in: project).user(localId: user.localId) : nil
    return try blocking(.beforeSignIn, user: user, facts: facts, context: context) {
      changes, project, context throws(APIError) in
      var user = user
      if let before {
        user = try BlockingFunctions(in: project).meanwhile(user, changedFrom: before)
      }
      try changes.apply(to: &user)
      if user.isDisabled {
        try Accounts(in: project).save(&user)
        throw APIError(.userDisabled).keepingWrites
      }
      do throws(APIError) {
        try changes.checkSessionClaims()
      } catch {
        try Accounts(in: project).save(&user)
        throw error.keepingWrites
      }
      let signIn = SignInFacts(
        facts.provider, extraClaims: changes.sessionClaims, attributes: facts.signInAttributes)
      return try finish(user, signIn, project, context)
    }
  }

  /// The user as others have left them while a function was asked, with what this sign-in changes.
  private func meanwhile(
    _ user: User, changedFrom before: User
  ) throws(APIError) -> User {
    guard let now = try Accounts(in: project).user(localId: user.localId) else {
      throw APIError(.userNotFound)
    }
    try requireUnused(user, since: before)
    return now.taking(from: user, changedFrom: before)
  }

  /// While a function was asked, somebody else may have taken what this sign-in gives the user:
  /// the address, the number, or an account at a provider.
  private func requireUnused(_ user: User, since before: User?) throws(APIError) {
    func isTaken(by owner: User?) -> Bool { owner.map { $0.localId != user.localId } ?? false }
    if let email = user.email, email != before?.email,
      isTaken(by: try Accounts(in: project).user(email: email))
    {
      throw APIError(.emailExists)
    }
    if let number = user.phoneNumber, number != before?.phoneNumber,
      isTaken(by: try Accounts(in: project).user(phoneNumber: number))
    {
      throw APIError(.phoneNumberExists)
    }
    for link in user.links.subtracting(before?.links ?? []) {
      if isTaken(by: try Accounts(in: project).user(providerId: link.providerId, rawId: link.rawId))
      {
        throw APIError(.federatedUserIdAlreadyLinked)
      }
    }
  }
}

extension BlockingFacts {
  /// `firebase.sign_in_provider`: an e-mail link counts as the address's password.
  var provider: String { signInMethod == "emailLink" ? "password" : signInMethod }
}
