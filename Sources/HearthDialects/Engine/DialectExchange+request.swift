import HearthErrors
import HearthTime
import HearthWire

/// Asking for a token, or for a new password.
extension DialectExchange {
  /// The order is that of a careful back end: the form of the address, the limits, and only then
  /// whether there is an account.
  func request() throws(APIError) -> Verdict {
    guard let identity else {
      return Verdict(call[.email] == nil ? .malformedPhone : .malformedEmail, values: sentValues)
    }
    let counter = RequestCounter(definition: definition, backEnd: backEnd, now: now)
    let refusal = try counter.refusal(of: identity, from: call.request.remoteAddress)
    if let refusal, definition.limits.answer == .refuse { return refused(refusal) }
    guard let account = try reachable(identity) else {
      return endpoint.hidesUnknown ? accepted : Verdict(.unknownAccount, values: sentValues)
    }
    guard refusal == nil else { return accepted }
    switch endpoint.procedure {
    case .replacePassword: try replacePassword(of: account)
    case .requestReset, .verifyToken, .confirmReset, .logIn, .refreshSession, .logOut, .profile:
      try sendToken(to: account)
    }
    return accepted
  }

  private func refused(_ refusal: RequestCounter<BackEnd>.Refusal) -> Verdict {
    var values = sentValues
    values[.retryAfter] = .int(refusal.seconds)
    return Verdict(refusal.outcome, values: values)
  }

  private var accepted: Verdict {
    var values = sentValues
    if let rule = definition.token { values.setLifetime(rule.lifetime) }
    return Verdict(.accepted, values: values)
  }

  /// The account, if it may sign in and the message can reach it.
  private func reachable(_ identity: DialectIdentity) throws(APIError) -> DialectAccount? {
    guard let account = try backEnd.account(identity), !account.isDisabled, let message,
      message.recipient(account) != nil
    else { return nil }
    return account
  }

  private func sendToken(to account: DialectAccount) throws(APIError) {
    guard let rule = definition.token else { return }
    let tokens = ResetTokens(definition: definition, rule: rule, backEnd: backEnd, now: now)
    var (secret, token) = try tokens.issue(to: account, random)
    var values = Values()
    values[.token] = .string(secret)
    values.setLifetime(rule.lifetime)
    values[.expiresAt] = .string(token.expiresAt.iso8601)
    token.message = try send(
      to: account, values, code: secret, expiresAt: token.expiresAt)
    try tokens.keep(token)
  }

  private func replacePassword(of account: DialectAccount) throws(APIError) {
    guard let format = definition.newPassword,
      let password = definition.password.password(format, random: random, now: now)
    else {
      throw APIError(.unavailable, detail: "the dialect cannot make a password by its own rule")
    }
    try backEnd.setPassword(password, of: account, endingSessions: endpoint.endsSessions)
    if endpoint.endsSessions { try sessions.end(of: account.id) }
    var values = Values()
    values[.newPassword] = .string(password)
    _ = try send(to: account, values, code: password, expiresAt: nil)
  }
}
