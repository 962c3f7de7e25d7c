import HearthCrypto
package import HearthErrors
import HearthMailbox
import HearthOperations
import HearthSQLite
package import HearthTime
package import HearthWire

/// A code that was sent to a phone, and the session that it belongs to.
package struct VerificationCode {
  enum Purpose: Sendable {
    case signIn, enrollment, secondFactor

    fileprivate func consoleLine(_ phoneNumber: PhoneNumber, code: String) -> String {
      switch self {
      case .signIn: "To verify the phone number \(phoneNumber.text), use the code \(code)."
      case .enrollment: "To enroll MFA with \(phoneNumber.text), use the code \(code)."
      case .secondFactor: "To sign in with MFA using \(phoneNumber.text), use the code \(code)."
      }
    }
  }

  let sessionInfo: String
  let phoneNumber: PhoneNumber
  let code: String
  package let expiresAt: Timestamp

  package var json: JSON {
    .members([
      "code": .string(code), "phoneNumber": phoneNumber.json,
      "sessionInfo": .string(sessionInfo),
    ])
  }
}

/// The codes that were sent to phones.
package struct VerificationCodes: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

extension VerificationCodes {
  /// Codes are listed until they are used; beyond this many, the oldest go.
  private static let keptCodes: Int64 = 10_000

  /// Sends a code, unless a function of the app refuses, and answers with the session that it is for.
  /// A test number's code is known beforehand: nothing is sent to it, and no function is asked.
  func sending(
    to phoneNumber: PhoneNumber, for purpose: VerificationCode.Purpose, context: Context,
    answer: @escaping @Sendable (_ session: String) -> Outcome
  ) throws(APIError) -> Outcome {
    let fixed = try testPhoneNumbers()?[phoneNumber.text]?.string
    let facts = fixed == nil ? SendFacts(purpose, to: phoneNumber) : nil
    return try BlockingFunctions(in: project).sending(facts, context: context) {
      verdict, project, context throws(APIError) in
      answer(
        try VerificationCodes(in: project).send(
          to: phoneNumber, for: purpose, fixed: fixed, verdict: verdict, context: context))
    }
  }

  /// `fixed` is the code of a test number.
  func send(
    to phoneNumber: PhoneNumber, for purpose: VerificationCode.Purpose, fixed: String? = nil,
    verdict: SendVerdict? = nil, context: Context
  ) throws(APIError) -> String {
    if fixed == nil { try Attempts(in: project).spend(.phoneCode, context: context) }
    let switches = try switches()
    let code = fixed ?? context.random.digits(6)
    let sessionInfo = context.random.base64URL(226)
    let expiresAt = context.now + .seconds(switches.smsCodeLifetime)
    try transaction.execute(
      """
      INSERT INTO verification_codes
        (project, tenant, digest, session_info, phone_number, code, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        projectId, tenantKey, Digest.sha256.hash(Array(sessionInfo.utf8)).blob,
        sessionInfo,
        phoneNumber, code, expiresAt.milliseconds,
      ])
    if transaction.lastInsertedRowID % 256 == 0 {
      try transaction.execute(
        "DELETE FROM verification_codes WHERE sequence <= ?",
        arguments: [transaction.lastInsertedRowID - Self.keptCodes])
    }
    guard fixed == nil else { return sessionInfo }
    try Mailbox(in: project).capture(
      TextMessage(
        to: phoneNumber.text, code: code, expiresAt: switches.codeExpiry ? expiresAt : nil),
      context: context, verdict: verdict)
    project.outbox.lines.append(purpose.consoleLine(phoneNumber, code: code))
    return sessionInfo
  }

  /// Checks a code and uses it up.
  ///
  /// - Returns: the phone number that it proves.
  func redeem(
    _ code: String, session: String, context: Context
  ) throws(APIError) -> PhoneNumber {
    guard let sent = try verificationCode(session: session) else {
      throw APIError(.invalidSessionInfo)
    }
    let isFixed = try testPhoneNumbers()?[sent.phoneNumber.text] != nil
    let staysValid =
      switch try answers {
      case .emulator: false
      // The fixed code of a test number works again and again.
      case .production: isFixed
      }
    if try switches().codeExpiry, sent.expiresAt <= context.now, !staysValid {
      throw APIError(.sessionExpired)
    }
    try Attempts(in: project).requireAttemptsLeft(
      .wrongCode, account: sent.phoneNumber.text, context: context)
    guard ConstantTime.equal(sent.code, code) else {
      try Attempts(in: project).countAttempt(
        .wrongCode, account: sent.phoneNumber.text, context: context)
      throw APIError(.invalidCode).keepingWrites
    }
    try Attempts(in: project).forgetAttempts(.wrongCode, account: sent.phoneNumber.text)
    if staysValid { return sent.phoneNumber }
    try transaction.execute(
      "DELETE FROM verification_codes WHERE digest = ? AND project = ? AND tenant = ?",
      arguments: [Digest.sha256.hash(Array(session.utf8)).blob, projectId, tenantKey])
    try Mailbox(in: project).noteUse(
      ofCode: code, type: TextMessage.type, sentTo: sent.phoneNumber.text, at: context.now)
    return sent.phoneNumber
  }

  private func verificationCode(session: String) throws(APIError) -> VerificationCode? {
    try transaction.first(
      """
      SELECT session_info, phone_number, code, expires_at FROM verification_codes
      WHERE digest = ? AND project = ? AND tenant = ?
      """,
      arguments: [Digest.sha256.hash(Array(session.utf8)).blob, projectId, tenantKey],
      read: Self.readCode)
  }

  package func allPending() throws(APIError) -> [VerificationCode] {
    try transaction.all(
      """
      SELECT session_info, phone_number, code, expires_at FROM verification_codes
      WHERE project = ? AND tenant = ? ORDER BY sequence
      """,
      arguments: [projectId, tenantKey], read: Self.readCode)
  }

  private static func readCode(_ row: ResultRow) -> VerificationCode {
    VerificationCode(
      sessionInfo: row[0], phoneNumber: PhoneNumber(unchecked: row[1]), code: row[2],
      expiresAt: Timestamp(milliseconds: row[3]))
  }

  // MARK: Temporary proofs

  /// Proof that the caller holds the number, to be used again later.
  func makeTemporaryProof(
    of phoneNumber: PhoneNumber, _ context: Context
  ) throws(APIError) -> String {
    let proof = context.random.base64URL(119)
    try transaction.execute(
      "INSERT INTO temporary_proofs (project, digest, phone_number, expires_at) VALUES (?, ?, ?, ?)",
      arguments: [
        projectId, Digest.sha256.hash(Array(proof.utf8)).blob, phoneNumber,
        (context.now + .seconds(3600)).milliseconds,
      ])
    try transaction.execute(
      "DELETE FROM temporary_proofs WHERE sequence <= ?",
      arguments: [transaction.lastInsertedRowID - Self.keptCodes])
    return proof
  }

  func checkTemporaryProof(
    _ proof: String, of phoneNumber: PhoneNumber, context: Context
  ) throws(APIError) {
    let oldest = try switches().codeExpiry ? context.now.milliseconds : -1
    let known = try transaction.first(
      """
      SELECT phone_number FROM temporary_proofs
      WHERE digest = ? AND project = ? AND expires_at > ?
      """,
      arguments: [Digest.sha256.hash(Array(proof.utf8)).blob, projectId, oldest]
    ) { PhoneNumber(unchecked: $0[0]) }
    guard known == phoneNumber else { throw APIError(.invalidTemporaryProof) }
  }
}

extension VerificationCodes {
  /// Numbers with a fixed code: the tenant's `testPhoneNumbers`, or the project's
  /// `signIn.phoneNumber.testPhoneNumbers`.
  private func testPhoneNumbers() throws(APIError) -> JSON? {
    if let tenant = try tenant() { return tenant.record["testPhoneNumbers"] }
    return try settings().config["signIn"]?["phoneNumber"]?["testPhoneNumbers"]
  }
}
