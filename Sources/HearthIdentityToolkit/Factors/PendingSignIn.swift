import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Somebody who has passed the first factor.
struct PendingSignIn {
  var user: User
  let signInProvider: String
  let issuedAt: Timestamp
}

extension ProjectTransaction {
  /// Who passed the first factor, by the credential that was handed out for it.
  func pendingSignIn(
    _ credential: String, _ context: Context
  ) throws(APIError) -> PendingSignIn {
    let isProduction = try answersAsProduction
    guard let bytes = Base64.decode(credential), let json = try? JSON.parse(bytes),
      json["_AuthEmulatorMfaPendingCredential"]?.isTruthy == true
    else {
      throw isProduction
        ? APIError(.invalidPendingToken)
        : APIError(.hint, message: "((Invalid phoneVerificationInfo.mfaPendingCredential.))")
    }
    let isForHere =
      json["projectId"]?.string == projectId
      && (tenantId == nil || json["tenantId"]?.string == tenantId)
    guard isForHere else {
      throw APIError(isProduction ? .invalidPendingToken : .invalidProjectId)
    }
    let issuedAt = (json["issuedAt"]?.integer).map(Timestamp.init(milliseconds:)) ?? context.now
    if !isProduction, try switches().codeExpiry,
      issuedAt.milliseconds < context.now.milliseconds - 3_600_000
    {
      throw APIError(.invalidMfaPendingCredential)
    }
    guard let user = try user(localId: json["localId"]?.string ?? "") else {
      throw isProduction
        ? APIError(.userNotFound)
        : APIError(.hint, message: "((User in pendingCredentialPayload does not exist.))")
    }
    return PendingSignIn(
      user: user, signInProvider: json["signInProvider"]?.string ?? "password",
      issuedAt: issuedAt)
  }
}
