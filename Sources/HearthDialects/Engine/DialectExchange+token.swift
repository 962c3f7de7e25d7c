import HearthErrors
import HearthWire

/// Looking at a token, and setting the new password with it.
extension DialectExchange {
  private enum Found {
    case usable(ResetToken, DialectAccount)
    case fault(Outcome)
  }

  func verify() throws(APIError) -> Verdict {
    switch try presentedToken() {
    case .fault(let outcome): return Verdict(outcome)
    case .usable(let token, let account):
      var values = Values(account)
      values.setExpiry(token.expiresAt, now: now)
      return Verdict(.valid, values: values)
    }
  }

  func confirm() throws(APIError) -> Verdict {
    guard let rule = definition.token, let password = call[.newPassword] else {
      return missingField(.newPassword)
    }
    let problem = passwordFault(password)
    if let problem, definition.password.isCheckedFirst { return problem }
    switch try presentedToken() {
    case .fault(let outcome): return Verdict(outcome)
    case .usable(let token, let account):
      let tokens = ResetTokens(definition: definition, rule: rule, backEnd: backEnd, now: now)
      if let problem {
        try tokens.countAttempt(token)
        return problem
      }
      try tokens.use(token)
      try setPassword(password, of: account)
      return Verdict(.reset, values: Values(account))
    }
  }

  private func setPassword(
    _ password: String, of account: DialectAccount
  ) throws(APIError) {
    try backEnd.setPassword(password, of: account, endingSessions: endpoint.endsSessions)
    if endpoint.endsSessions { try sessions.end(of: account.id) }
    _ = try send(to: account, Values(), code: nil, expiresAt: nil)
  }

  private func passwordFault(_ password: String) -> Verdict? {
    if endpoint.fields[.confirmation] != nil, call[.confirmation] != password {
      return verdict(.passwordMismatch, problem: .mismatch)
    }
    return definition.password.problem(of: password).map { verdict(.weakPassword, problem: $0) }
  }

  private func verdict(_ outcome: Outcome, problem: PasswordRule.Problem) -> Verdict {
    let sentence = definition.password.sentence(
      for: problem, call.commonValues(now), language: call.language)
    var values = Values()
    values[.problem] = .string(sentence)
    return Verdict(outcome, values: values)
  }

  private func presentedToken() throws(APIError) -> Found {
    guard let rule = definition.token, let text = call[.token],
      let secret = rule.format.normalise(text)
    else { return .fault(.malformedToken) }
    let tokens = ResetTokens(definition: definition, rule: rule, backEnd: backEnd, now: now)
    guard let token = try tokens.find(secret, for: try namedAccount()) else {
      return .fault(.unknownToken)
    }
    if let fault = token.fault(rule, now: now) { return .fault(fault) }
    guard let account = try backEnd.account(.id(token.accountID)), !account.isDisabled else {
      return .fault(.unknownToken)
    }
    return .usable(token, account)
  }

  /// The account that the request names beside the token: nil when it names none, and an id that no
  /// account has when it names one that does not exist.
  private func namedAccount() throws(APIError) -> String? {
    guard call[.email] != nil || call[.phone] != nil else { return nil }
    guard let identity, let account = try backEnd.account(identity) else { return "" }
    return account.id
  }
}
