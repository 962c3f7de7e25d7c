import HearthTime
import HearthWire

/// A reset token as it is kept: never the token itself.
struct ResetToken: Sendable {
  let key: String
  let proof: String
  let accountID: String
  let expiresAt: Timestamp
  var usedAt: Timestamp?
  var attempts: Int
  /// The message that carried it.
  var message: Int64?

  init(_ digest: SecretDigest, accountID: String, expiresAt: Timestamp) {
    key = digest.key
    proof = digest.proof
    self.accountID = accountID
    self.expiresAt = expiresAt
    attempts = 0
  }

  init?(key: String, _ json: JSON) {
    guard let proof = json["proof"]?.string, let account = json["account"]?.string,
      let expiresAt = json["expiresAt"]?.integer
    else { return nil }
    self.key = key
    self.proof = proof
    accountID = account
    self.expiresAt = Timestamp(milliseconds: expiresAt)
    usedAt = json["usedAt"]?.integer.map(Timestamp.init(milliseconds:))
    attempts = Int(clamping: json["attempts"]?.integer ?? 0)
    message = json["message"]?.integer
  }

  var json: JSON {
    .members([
      "proof": .string(proof),
      "account": .string(accountID),
      "expiresAt": .int(expiresAt.milliseconds),
      "usedAt": usedAt.map { .int($0.milliseconds) },
      "attempts": .int(Int64(attempts)),
      "message": message.map(JSON.int),
    ])
  }

  /// Why it cannot be used; nil when it can.
  func fault(_ rule: TokenRule, now: Timestamp) -> Outcome? {
    if usedAt != nil { return .usedToken }
    if let limit = rule.attempts, attempts >= limit { return .exhaustedToken }
    return expiresAt <= now ? .expiredToken : nil
  }
}
