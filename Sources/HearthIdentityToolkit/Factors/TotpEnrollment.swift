import HearthCrypto
import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire

/// `totpVerificationInfo`: a code of an authenticator app, and when it is enrolled, the session.
struct TotpProof: Sendable {
  let verificationCode: String?
  let sessionInfo: String?

  init(_ info: JSONObject) {
    verificationCode = info["verificationCode"]?.string
    sessionInfo = info["sessionInfo"]?.string
  }
}

extension SecondFactors {
  /// Makes a secret, and a session in which it can be enrolled.
  func startTotpEnrollment(of user: User, _ context: Context) throws(APIError) -> JSON {
    let secret = Totp.base32(context.random.bytes(20))
    let session = context.random.base64URL(226)
    let rules = try enrollmentRules()
    let expiresAt = context.now + rules.totpSessionLife
    try transaction.execute(
      """
      INSERT INTO totp_sessions (project, tenant, digest, local_id, secret, expires_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        projectId, tenantKey, Digest.sha256.hash(Array(session.utf8)).blob, user.localId,
        secret, expiresAt.milliseconds,
      ])
    try transaction.execute(
      "DELETE FROM totp_sessions WHERE sequence <= ?",
      arguments: [transaction.lastInsertedRowID - 10_000])
    return .members([
      "sharedSecretKey": .string(secret),
      "verificationCodeLength": .int(Int64(Totp.digits)),
      "hashingAlgorithm": "SHA1",
      "periodSec": .int(Totp.period),
      "sessionInfo": .string(session),
      "finalizeEnrollmentTime": .string(rules.timeText(expiresAt)),
    ])
  }

  /// Checks the first code of an authenticator app, and gives the factor its secret.
  func finishTotpEnrollment(
    of user: User, proof: TotpProof, into factor: inout MfaEnrollment, context: Context
  ) throws(APIError) {
    let rules = try enrollmentRules()
    try rules.check(proof)
    guard let session = proof.sessionInfo.nonEmpty else { throw try refusal(.noSession) }
    let digest = Digest.sha256.hash(Array(session.utf8)).blob
    let found = try transaction.first(
      """
      SELECT secret, expires_at FROM totp_sessions
      WHERE digest = ? AND project = ? AND tenant = ? AND local_id = ?
      """,
      arguments: [digest, projectId, tenantKey, user.localId]
    ) { (secret: $0[0] as String, expiresAt: Timestamp(milliseconds: $0[1])) }
    guard let found else { throw APIError(.invalidSessionInfo) }
    guard found.expiresAt > context.now else { throw APIError(.sessionExpired) }
    try rules.checkSession(secret: found.secret, for: factor)
    guard let code = proof.verificationCode.nonEmpty else { throw APIError(.missingCode) }
    let window = try totpWindow()
    let step = try Attempts(in: project).limitingTotpCodes(of: user.localId, context: context) {
      () throws(APIError) in
      let step = Totp.acceptedStep(
        code, secret: found.secret, at: context.now, after: nil, window: window)
      guard let step else { throw APIError(.invalidCode) }
      return step
    }
    try rules.requireRoom(in: user, forTotp: true)
    try transaction.execute(
      "\(rules.endingOfTotpSession) WHERE digest = ? AND project = ? AND tenant = ?",
      arguments: [digest, projectId, tenantKey])
    factor.totpSecret = found.secret
    factor.totpUsedStep = step
  }
}
