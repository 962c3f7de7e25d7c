package import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// Inspects an out-of-band code, or redeems a password-reset code for a new password.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/resetPassword
package enum ResetPassword: Operation {
  package struct Request: OperationRequest {
    let oobCode: String?
    let newPassword: String?

    package init(_ wire: WireRequest) {
      oobCode = wire.string("oobCode")
      newPassword = wire.string("newPassword")
    }
  }

  package static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try checkSettings(of: project)
    guard let code = request.oobCode.nonEmpty else { throw APIError(.missingOobCode) }
    let oob = try OobCodes(in: project).pending(code, context: context)
    switch try project.answers {
    case .emulator:
      if let password = request.newPassword.nonEmpty {
        try redeem(oob, password: password, project: project, context: context)
      }
    case .production:
      try redeemByOwner(oob, password: request.newPassword, project: project, context: context)
    }
    return .json([
      "kind": "identitytoolkit#ResetPasswordResponse",
      "requestType": .string(oob.requestType.rawValue),
      "email": oob.requestType == .emailSignin ? nil : oob.email.json,
      "newEmail": oob.requestType == .verifyAndChangeEmail ? oob.newEmail.json : nil,
    ])
  }

  /// A project or a tenant may have switched this off.
  package static func checkSettings(of project: ProjectTransaction) throws(APIError) {
    try project.requireAuthEnabled()
    guard try project.allows(.password) else { throw APIError(.passwordLoginDisabled) }
  }

  /// A code is worth nothing when its account is gone, and one that signs in does nothing here.
  private static func redeemByOwner(
    _ oob: OobCode, password: String?, project: ProjectTransaction, context: Context
  ) throws(APIError) {
    let owner = try OobCodes(in: project).owner(of: oob)
    guard oob.requestType != .emailSignin else { return }
    guard let owner else { throw APIError(.invalidOobCode) }
    guard let password else { return }
    guard oob.requestType == .passwordReset else { throw APIError(.invalidOobCode) }
    if password.isEmpty { throw APIError(.weakPassword, message: ErrorCode.weakPassword.name) }
    try PasswordPolicies(in: project).checkNew(password, context: context)
    guard owner.email == oob.email else { throw APIError(.userNotFound) }
    if owner.isDisabled {
      try OobCodes(in: project).consume(oob, context: context)
      throw APIError(.userDisabled).keepingWrites
    }
    try redeem(oob, password: password, project: project, context: context)
  }

  /// Also ends all sessions, and unlinks federated providers: the user who reset the password owns the
  /// address, and the account may have been somebody else's before.
  package static func redeem(
    _ oob: OobCode, password: String, project: ProjectTransaction, context: Context
  ) throws(APIError) {
    guard oob.requestType == .passwordReset else { throw APIError(.invalidOobCode) }
    try PasswordPolicies(in: project).checkNew(password, context: context)
    try OobCodes(in: project).consume(oob, context: context)
    guard var user = try Accounts(in: project).user(email: oob.email) else {
      throw APIError(.invalidOobCode).keepingWrites
    }
    user.emailVerified = .yes
    user.setPassword(password, in: project, context: context)
    user.providerUserInfo?.removeAll { $0.providerId != "password" && $0.providerId != "phone" }
    try Sessions(in: project).revokeRefreshTokens(of: user, issuedUntil: context.now.seconds)
    try Accounts(in: project).save(&user)
  }
}
