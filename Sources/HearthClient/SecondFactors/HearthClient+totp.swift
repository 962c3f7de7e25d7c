import Foundation

extension HearthClient {
  /// The code that an authenticator app shows, by the clock of the project.
  ///
  /// - Parameters:
  ///   - secret: the secret of the factor, such as ``enrollTotp(of:name:)`` returns it.
  ///   - periods: 1 for the code that comes next, -1 for the one before.
  /// - Returns: six digits.
  /// - Throws: ``HearthError``.
  public func totpCode(for secret: String, periods: Int = 0) async throws -> String {
    let step = Int(
      (try await clock().now.timeIntervalSince1970 / OneTimeCode.period).rounded(.down))
    return OneTimeCode.code(secret: secret, step: UInt64(max(step + periods, 0)))
  }

  /// Adds an authenticator app as a second factor.
  ///
  /// - Parameters:
  ///   - session: a session of the user, whose address must be verified.
  ///   - name: the name of the factor.
  /// - Returns: the secret that the app's codes are made from, and a new session.
  /// - Throws: ``HearthError``, with `UNVERIFIED_EMAIL` or `OPERATION_NOT_ALLOWED`.
  @discardableResult
  public func enrollTotp(
    of session: Session, name: String? = nil
  ) async throws -> (secret: String, session: Session) {
    struct Started: Decodable {
      struct Info: Decodable { let sharedSecretKey, sessionInfo: String }
      let totpSessionInfo: Info
    }
    let info = try await factors(
      "mfaEnrollment:start",
      ["idToken": session.idToken, "totpEnrollmentInfo": [String: String]()],
      answering: Started.self
    ).totpSessionInfo
    // A code counts once: the one before is used, so that the code of now is left for a sign-in.
    let enrolled = try await redeemTotp(info.sharedSecretKey, periods: -1...0) { code in
      var body: [String: any Sendable] = [
        "idToken": session.idToken,
        "totpVerificationInfo": ["sessionInfo": info.sessionInfo, "verificationCode": code],
      ]
      body["displayName"] = name
      return try await factors("mfaEnrollment:finalize", body, answering: Session.self)
    }
    return (info.sharedSecretKey, enrolled)
  }

  /// Signs in with a password and the code of an authenticator app.
  ///
  /// A code counts once, and after it the code that comes next. For a third sign-in within half a
  /// minute, move the clock with ``advanceClock(by:)``.
  ///
  /// - Parameters:
  ///   - email: the user's address.
  ///   - password: the user's password.
  ///   - totpSecret: the secret of the factor, such as ``enrollTotp(of:name:)`` returns it.
  /// - Returns: the session.
  /// - Throws: ``HearthError``, with `NO_SECOND_FACTOR` when the user has no authenticator app, and
  ///   `INVALID_CODE` when the secret is another one.
  public func signIn(
    email: String, password: String, totpSecret: String
  ) async throws -> Session {
    try await signInWithSecondFactor(
      requiredFactor(email: email, password: password), totpSecret: totpSecret)
  }

  /// Tries the codes of these periods, of which one may have been used before.
  ///
  /// A code may also be refused because half a minute has ended on its way: the code that the
  /// period has by then is tried first. Later periods would take the codes of the next sign-in.
  func redeemTotp(
    _ secret: String, periods: ClosedRange<Int>, _ redeem: (String) async throws -> Session
  ) async throws -> Session {
    var period = periods.lowerBound
    while true {
      let code = try await totpCode(for: secret, periods: period)
      do {
        return try await redeem(code)
      } catch let error as HearthError where error.code == "INVALID_CODE" {
        guard try await totpCode(for: secret, periods: period) == code else { continue }
        guard period < periods.upperBound else { throw error }
        period += 1
      }
    }
  }
}
