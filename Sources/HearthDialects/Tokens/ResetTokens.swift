import HearthCrypto
import HearthErrors
import HearthTime
import HearthWire

/// The reset tokens of a back end.
struct ResetTokens<BackEnd: DialectBackEnd> {
  /// Tokens that an account has are listed only so far; older ones can still be used by name.
  private static var listed: Int { 20 }

  let definition: DialectDefinition
  let rule: TokenRule
  let backEnd: BackEnd
  let now: Timestamp

  /// How long a dead token is remembered, to be told from one that never was.
  private var memory: Duration { .seconds(7 * 86_400) }

  /// Makes a token that no other account has. A short code repeats sooner or later.
  func issue(
    to account: DialectAccount, _ random: Randomness
  ) throws(APIError) -> (secret: String, token: ResetToken) {
    if rule.replacesOlder { try removeAll(of: account.id, as: .replaced) }
    let end = rule.lifetime.end(from: now)
    for _ in 0..<100 {
      let secret = rule.format.make(random, subject: account.id, from: now, to: end)
      let digest = SecretDigest(secret, dialect: definition.name, rows: backEnd)
      guard try backEnd.row(key(.token, key: digest.key)) == nil else { continue }
      return (secret, ResetToken(digest, accountID: account.id, expiresAt: end))
    }
    throw APIError(.unavailable, detail: "the dialect has no free codes left")
  }

  func keep(_ token: ResetToken) throws(APIError) {
    try save(token)
    let keys = try outstanding(token.accountID).filter { $0 != token.key } + [token.key]
    try list(keys.suffix(Self.listed), of: token.accountID)
  }

  /// The token that the client presents. `accountID` is the account that the request names, if it
  /// names one; then a wrong code counts against the token that this account waits for.
  func find(_ secret: String, for accountID: String?) throws(APIError) -> ResetToken? {
    let digest = SecretDigest(secret, dialect: definition.name, rows: backEnd)
    let token = try token(digest.key)
    if let token, SecretDigest.isSame(token.proof, digest.proof),
      accountID.map({ $0 == token.accountID }) ?? true
    {
      return token
    }
    if let accountID { try countGuess(at: accountID) }
    return nil
  }

  /// A guess is one attempt at each token that it could have hit.
  private func countGuess(at accountID: String) throws(APIError) {
    for key in try outstanding(accountID) {
      if let token = try token(key), token.fault(rule, now: now) == nil { try countAttempt(token) }
    }
  }

  func countAttempt(_ token: ResetToken) throws(APIError) {
    guard let limit = rule.attempts else { return }
    var token = token
    token.attempts += 1
    try save(token)
    if token.attempts >= limit, let message = token.message {
      try backEnd.settle(message, as: .exhausted, at: now)
    }
  }

  /// Ends the account's tokens. The one that did it is remembered as used.
  func use(_ token: ResetToken) throws(APIError) {
    try removeAll(of: token.accountID, as: .replaced, but: token.key)
    var token = token
    token.usedAt = now
    try save(token)
    if let message = token.message { try backEnd.settle(message, as: .used, at: now) }
  }

  private func removeAll(
    of accountID: String, as end: DialectMessage.End, but kept: String? = nil
  ) throws(APIError) {
    for key in try outstanding(accountID) where key != kept {
      if let token = try token(key), token.fault(rule, now: now) == nil, let message = token.message
      {
        try backEnd.settle(message, as: end, at: now)
      }
      try backEnd.removeRow(self.key(.token, key: key))
    }
    try list(kept.map { [$0] } ?? [], of: accountID)
  }

  private func token(_ key: String) throws(APIError) -> ResetToken? {
    try backEnd.row(self.key(.token, key: key)).flatMap { ResetToken(key: key, $0) }
  }

  private func save(_ token: ResetToken) throws(APIError) {
    try backEnd.setRow(
      key(.token, key: token.key), to: token.json, until: max(now, token.expiresAt) + memory)
  }

  private func outstanding(_ accountID: String) throws(APIError) -> [String] {
    try backEnd.row(key(.outstanding, key: accountID))?.array?.compactMap(\.string) ?? []
  }

  private func list(_ keys: [String], of accountID: String) throws(APIError) {
    guard !keys.isEmpty else { return try backEnd.removeRow(key(.outstanding, key: accountID)) }
    try backEnd.setRow(
      key(.outstanding, key: accountID), to: .strings(keys),
      until: rule.lifetime.end(from: now) + memory)
  }

  private func key(_ kind: DialectKey.Kind, key: String) -> DialectKey {
    DialectKey(dialect: definition.name, kind: kind, key: key)
  }
}
