extension HearthClient {
  /// Adds a phone as a second factor: requests a text message, waits for it, and sends its code.
  ///
  /// - Parameters:
  ///   - phoneNumber: such as `+15555550100`.
  ///   - session: a session of the user, whose address must be verified.
  ///   - name: the name of the factor.
  /// - Returns: a new session.
  /// - Throws: ``HearthError``, with `UNVERIFIED_EMAIL` or `OPERATION_NOT_ALLOWED`.
  @discardableResult
  public func enrollPhone(
    _ phoneNumber: String, of session: Session, name: String? = nil
  ) async throws -> Session {
    struct Sent: Decodable {
      struct Info: Decodable { let sessionInfo: String }
      let phoneSessionInfo: Info
    }
    let last = try await latestMail(to: phoneNumber)
    let sent = try await factors(
      "mfaEnrollment:start",
      [
        "idToken": session.idToken,
        "phoneEnrollmentInfo": ["phoneNumber": phoneNumber, "recaptchaToken": "test"],
      ], answering: Sent.self)
    let code = try await waitForCode(to: phoneNumber, type: .sms, after: last)
    var body: [String: any Sendable] = [
      "idToken": session.idToken,
      "phoneVerificationInfo": ["sessionInfo": sent.phoneSessionInfo.sessionInfo, "code": code],
    ]
    body["displayName"] = name
    return try await factors("mfaEnrollment:finalize", body, answering: Session.self)
  }

  /// Signs in with a password and a phone: the first that the user has as a second factor.
  ///
  /// - Parameters:
  ///   - email: the user's address.
  ///   - password: the user's password.
  ///   - phoneNumber: the number that the text message goes to.
  /// - Returns: the session.
  /// - Throws: ``HearthError``, with `NO_SECOND_FACTOR` when the password is enough.
  public func signIn(
    email: String, password: String, phoneNumber: String
  ) async throws -> Session {
    try await signInWithSecondFactor(
      requiredFactor(email: email, password: password), phoneNumber: phoneNumber)
  }

  func factors<Answer: Decodable>(
    _ verb: String, _ body: [String: any Sendable], answering answer: Answer.Type
  ) async throws -> Answer {
    try await call(
      "POST", "/identitytoolkit.googleapis.com/v2/accounts/\(verb)", body, as: .key,
      answering: answer)
  }
}
