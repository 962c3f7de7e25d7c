/// The sign-in is right so far, and a second factor is asked for.
///
/// ``HearthClient/signIn(email:password:phoneNumber:)`` and
/// ``HearthClient/signIn(email:password:totpSecret:)`` sign in with both at once;
/// ``HearthClient/signInWithSecondFactor(_:phoneNumber:)`` and ``HearthClient/signInWithSecondFactor(_:totpSecret:)``
/// end the sign-in that has thrown this.
public struct SecondFactorRequired: Error, Sendable, Equatable, CustomStringConvertible {
  /// A second factor of the user.
  public struct Factor: Sendable, Equatable {
    /// The id of the factor.
    public let id: String
    /// The name of the factor.
    public let displayName: String?
    /// The phone number, of which most digits are hidden; nil for an authenticator app.
    public let phoneNumber: String?
    /// Whether it is an authenticator app.
    public let isAuthenticatorApp: Bool
  }

  /// What stands for the first factor in the calls that end the sign-in.
  public let pendingCredential: String
  /// The factors of the user, of which one is asked for.
  public let factors: [Factor]

  /// A line for a test's log.
  public var description: String {
    let names = factors.map { factor in
      factor.isAuthenticatorApp
        ? "an authenticator app: signIn(email:password:totpSecret:)"
        : "the phone \(factor.phoneNumber ?? "of the user"): signIn(email:password:phoneNumber:)"
    }
    return "SECOND_FACTOR_REQUIRED: \(names.joined(separator: ", or "))"
  }
}

extension SecondFactorRequired: Decodable {
  private enum CodingKeys: String, CodingKey {
    case pendingCredential = "mfaPendingCredential"
    case factors = "mfaInfo"
  }

  /// Reads the answer to a sign-in.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if no second factor is asked for.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    pendingCredential = try members.decode(String.self, forKey: .pendingCredential)
    factors = try members.decodeIfPresent([Factor].self, forKey: .factors) ?? []
  }
}

extension SecondFactorRequired.Factor: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id = "mfaEnrollmentId"
    case phoneNumber = "phoneInfo"
    case displayName, totpInfo
  }

  /// Reads a factor as a sign-in lists it.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if it is not one.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(String.self, forKey: .id)
    displayName = try members.decodeIfPresent(String.self, forKey: .displayName)
    phoneNumber = try members.decodeIfPresent(String.self, forKey: .phoneNumber)
    isAuthenticatorApp = members.contains(.totpInfo)
  }
}

extension HearthClient {
  /// Ends a sign-in that has thrown ``SecondFactorRequired`` with a phone: requests a text message,
  /// waits for it, and sends its code.
  ///
  /// - Parameters:
  ///   - required: what the sign-in has thrown.
  ///   - phoneNumber: the number that the text message goes to.
  /// - Returns: the session.
  /// - Throws: ``HearthError``, with `NO_SECOND_FACTOR` when the user has no phone as a factor.
  public func signInWithSecondFactor(
    _ required: SecondFactorRequired, phoneNumber: String
  ) async throws -> Session {
    struct Sent: Decodable {
      struct Info: Decodable { let sessionInfo: String }
      let phoneResponseInfo: Info
    }
    let factor = try factor(of: required, called: "phone") { $0.phoneNumber != nil }
    let last = try await latestMail(to: phoneNumber)
    let sent = try await factors(
      "mfaSignIn:start",
      [
        "mfaPendingCredential": required.pendingCredential, "mfaEnrollmentId": factor.id,
        "phoneSignInInfo": ["recaptchaToken": "test"],
      ], answering: Sent.self)
    let code = try await waitForCode(to: phoneNumber, type: .sms, after: last)
    return try await factors(
      "mfaSignIn:finalize",
      [
        "mfaPendingCredential": required.pendingCredential,
        "phoneVerificationInfo": ["sessionInfo": sent.phoneResponseInfo.sessionInfo, "code": code],
      ], answering: Session.self)
  }

  /// Ends a sign-in that has thrown ``SecondFactorRequired`` with the code of an authenticator app.
  ///
  /// - Parameters:
  ///   - required: what the sign-in has thrown.
  ///   - totpSecret: the secret of the factor, such as ``enrollTotp(of:name:)`` returns it.
  /// - Returns: the session.
  /// - Throws: ``HearthError``, with `NO_SECOND_FACTOR` when the user has no authenticator app, and
  ///   `INVALID_CODE` when the secret is another one.
  public func signInWithSecondFactor(
    _ required: SecondFactorRequired, totpSecret: String
  ) async throws -> Session {
    let factor = try factor(of: required, called: "authenticator app", \.isAuthenticatorApp)
    return try await redeemTotp(totpSecret, periods: 0...1) { code in
      try await factors(
        "mfaSignIn:finalize",
        [
          "mfaPendingCredential": required.pendingCredential, "mfaEnrollmentId": factor.id,
          "totpVerificationInfo": ["verificationCode": code],
        ], answering: Session.self)
    }
  }

  /// What a sign-in with a password asks for.
  func requiredFactor(email: String, password: String) async throws -> SecondFactorRequired {
    do {
      _ = try await signIn(email: email, password: password)
    } catch let required as SecondFactorRequired {
      return required
    }
    throw HearthError(
      code: "NO_SECOND_FACTOR", message: "\(email) has no second factor", httpStatus: 0)
  }

  private func factor(
    of required: SecondFactorRequired, called name: String,
    _ isMeant: (SecondFactorRequired.Factor) -> Bool
  ) throws -> SecondFactorRequired.Factor {
    guard let factor = required.factors.first(where: isMeant) else {
      throw HearthError(
        code: "NO_SECOND_FACTOR", message: "the user has no \(name) as a second factor",
        httpStatus: 0)
    }
    return factor
  }
}
