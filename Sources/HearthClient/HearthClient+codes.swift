import Foundation

extension HearthClient {
  /// Requests a mail that resets the password.
  ///
  /// - Parameters:
  ///   - email: the user's address.
  ///   - locale: the language of the mail, such as `de`; nil for English.
  /// - Throws: ``HearthError``, with `EMAIL_NOT_FOUND` when no user has that address and
  ///   enumeration protection is off.
  public func sendPasswordReset(to email: String, locale: String? = nil) async throws {
    try await sendOobCode(.passwordReset, to: email, locale: locale)
  }

  /// Requests a mail with an out-of-band code.
  ///
  /// A password reset and a sign-in link go to `email`; a verification goes to the address of the
  /// session's user, and a change of address to `newEmail`.
  ///
  /// - Parameters:
  ///   - kind: the purpose of the code.
  ///   - email: the recipient, for ``Mail/Kind/passwordReset`` and ``Mail/Kind/emailSignIn``.
  ///   - session: the session of the user, for ``Mail/Kind/verifyEmail`` and ``Mail/Kind/verifyAndChangeEmail``.
  ///   - newEmail: the address to change to, for ``Mail/Kind/verifyAndChangeEmail``.
  ///   - continueURL: where the link leads after the code is redeemed.
  ///   - locale: the language of the mail, such as `de`; nil for English.
  /// - Throws: ``HearthError``.
  public func sendOobCode(
    _ kind: Mail.Kind, to email: String? = nil, as session: Session? = nil,
    newEmail: String? = nil, continueURL: String? = nil, locale: String? = nil
  ) async throws {
    var body: [String: any Sendable] = ["requestType": kind.rawValue]
    body["email"] = email
    body["idToken"] = session?.idToken
    body["newEmail"] = newEmail
    body["continueUrl"] = continueURL
    try await accounts(
      "sendOobCode", body, headers: locale.map { ["X-Firebase-Locale": $0] } ?? [:],
      answering: Nothing.self)
  }

  /// Sets a new password with the code of a mail. It ends all sessions of the user.
  ///
  /// - Parameters:
  ///   - code: the code, as in ``Mail/code``.
  ///   - newPassword: the password from now on.
  /// - Throws: ``HearthError``, with `EXPIRED_OOB_CODE` or `INVALID_OOB_CODE` when the code is old,
  ///   used or unknown.
  public func resetPassword(code: String, newPassword: String) async throws {
    try await accounts(
      "resetPassword", ["oobCode": code, "newPassword": newPassword], answering: Nothing.self)
  }

  /// Redeems the code of a mail that verifies, changes or restores an address.
  ///
  /// - Parameter code: the code, as in ``Mail/code``.
  /// - Throws: ``HearthError``, with `EXPIRED_OOB_CODE` or `INVALID_OOB_CODE` when the code is old,
  ///   used or unknown.
  public func applyCode(_ code: String) async throws {
    try await accounts("update", ["oobCode": code], answering: Nothing.self)
  }
}
