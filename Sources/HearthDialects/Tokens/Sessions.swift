import HearthCrypto
import HearthErrors
import HearthTime
import HearthWire

/// The sessions that the back end has handed out.
///
/// Each remembers the account's epoch. Ending all of an account's sessions begins a new epoch, so
/// that none has to be searched for, and one that began in the same instant ends as well.
struct Sessions<BackEnd: DialectBackEnd> {
  enum Role: String { case access, refresh }

  let definition: DialectDefinition
  let backEnd: BackEnd

  init(_ definition: DialectDefinition, backEnd: BackEnd) {
    self.definition = definition
    self.backEnd = backEnd
  }

  /// Begins a session and gives what the log-in's reply tells about it.
  func begin(
    for account: DialectAccount, random: Randomness, now: Timestamp
  ) throws(APIError) -> Values {
    var values = Values(account)
    let rule = definition.sessions
    let end = rule.lifetime.end(from: now)
    var partner: String?
    if let refreshEnd = rule.refreshLifetime?.end(from: now) {
      let (secret, key) = try make(
        .refresh, account: account, random: random, now: now, end: refreshEnd)
      values[.refresh] = .string(secret)
      partner = key
    }
    let (secret, _) = try make(
      .access, account: account, random: random, now: now, end: end, partner: partner)
    values[.session] = .string(secret)
    values.setExpiry(end, now: now)
    return values
  }

  private func make(
    _ role: Role, account: DialectAccount, random: Randomness, now: Timestamp,
    end: Timestamp, partner: String? = nil
  ) throws(APIError) -> (secret: String, key: String) {
    let secret = definition.sessions.format.make(random, subject: account.id, from: now, to: end)
    let digest = SecretDigest(secret, dialect: definition.name, rows: backEnd)
    let row = JSON.members([
      "proof": .string(digest.proof), "account": .string(account.id),
      "role": .string(role.rawValue), "epoch": .int(try epoch(of: account.id)),
      "expiresAt": .int(end.milliseconds), "partner": partner.json,
    ])
    try backEnd.setRow(key(digest.key), to: row, until: end)
    return (secret, digest.key)
  }

  /// Whose session it is; nil when it is unknown, has ended, or the account cannot sign in any more.
  func account(
    _ secret: String, role: Role, now: Timestamp
  ) throws(APIError) -> DialectAccount? {
    let digest = SecretDigest(secret, dialect: definition.name, rows: backEnd)
    guard let row = try backEnd.row(key(digest.key)), let proof = row["proof"]?.string,
      SecretDigest.isSame(proof, digest.proof), row["role"]?.string == role.rawValue,
      let id = row["account"]?.string,
      let end = row["expiresAt"]?.integer, end > now.milliseconds,
      row["epoch"]?.integer == (try epoch(of: id)),
      let account = try backEnd.account(.id(id)), !account.isDisabled
    else { return nil }
    return account
  }

  /// Ends one session, and with it the refresh token that was handed out beside it.
  func remove(_ secret: String) throws(APIError) {
    let key = key(SecretDigest(secret, dialect: definition.name, rows: backEnd).key)
    if let partner = try backEnd.row(key)?["partner"]?.string {
      try backEnd.removeRow(self.key(partner))
    }
    try backEnd.removeRow(key)
  }

  func end(of accountID: String) throws(APIError) {
    let next = try epoch(of: accountID) &+ 1
    // It must outlive every session of an earlier epoch, by whatever clock.
    try backEnd.setRow(epochKey(accountID), to: .int(next), until: .distantFuture)
  }

  private func epoch(of accountID: String) throws(APIError) -> Int64 {
    try backEnd.row(epochKey(accountID))?.integer ?? 0
  }

  private func epochKey(_ accountID: String) -> DialectKey {
    DialectKey(dialect: definition.name, kind: .epoch, key: accountID)
  }

  private func key(_ key: String) -> DialectKey {
    DialectKey(dialect: definition.name, kind: .session, key: key)
  }
}

extension Timestamp {
  /// The end of the year 9999.
  static let distantFuture = Timestamp(seconds: 253_402_300_799)
}
