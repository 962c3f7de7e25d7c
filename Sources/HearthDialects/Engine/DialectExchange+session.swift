import HearthErrors

/// Signing in, and what a session is good for.
extension DialectExchange {
  func logIn() throws(APIError) -> Verdict {
    guard let password = call[.password] else { return missingField(.password) }
    var account: DialectAccount?
    if let identity { account = try backEnd.account(identity) }
    guard try backEnd.isPassword(password, of: account), let account else {
      return Verdict(.wrongCredentials)
    }
    guard !account.isDisabled else { return Verdict(.disabledAccount) }
    backEnd.noteSignIn(of: account)
    return Verdict(.signedIn, values: try sessions.begin(for: account, random: random, now: now))
  }

  /// A refresh token serves once; its successor comes with the reply.
  func refreshSession() throws(APIError) -> Verdict {
    guard let token = call[.refresh],
      let account = try sessions.account(token, role: .refresh, now: now)
    else { return Verdict(.unauthorized) }
    try sessions.remove(token)
    return Verdict(.refreshed, values: try sessions.begin(for: account, random: random, now: now))
  }

  func profile() throws(APIError) -> Verdict {
    guard let session, let account = try sessions.account(session, role: .access, now: now) else {
      return Verdict(.unauthorized)
    }
    return Verdict(.found, values: Values(account))
  }

  func logOut() throws(APIError) -> Verdict {
    guard let session, try sessions.account(session, role: .access, now: now) != nil else {
      return Verdict(.unauthorized)
    }
    try sessions.remove(session)
    return Verdict(.signedOut)
  }

  private var session: String? {
    call.value(of: definition.sessions.source).flatMap(definition.sessions.token)
  }
}
