import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Somebody who has passed the first factor.
struct PendingSignIn {
  var user: User
  let signInProvider: String
}

extension SecondFactors {
  /// Who passed the first factor, by the credential that was handed out for it. `proof` is what
  /// follows of an authenticator app, if that is the second factor.
  func pendingSignIn(
    _ credential: String, for proof: TotpProof?, context: Context
  ) throws(APIError) -> PendingSignIn {
    guard let bytes = Base64.decode(credential), let json = try? JSON.parse(bytes),
      json["_AuthEmulatorMfaPendingCredential"]?.isTruthy == true
    else { throw try refusal(.unreadableCredential) }
    let isForHere =
      json["projectId"]?.string == projectId
      && (tenantId == nil || json["tenantId"]?.string == tenantId)
    guard isForHere else { throw try refusal(.credentialOfElsewhere) }
    let issuedAt = (json["issuedAt"]?.integer).map(Timestamp.init(milliseconds:)) ?? context.now
    let age = try switches().codeExpiry ? PendingAge(since: issuedAt, until: context.now) : nil
    let answers = try answers
    try age?.checkBeforeUser(as: answers)
    guard let user = try Accounts(in: project).user(localId: json["localId"]?.string ?? "") else {
      throw try refusal(.credentialOfNobody)
    }
    try age?.checkAfterUser(as: answers, withApp: proof != nil)
    return PendingSignIn(
      user: user, signInProvider: json["signInProvider"]?.string ?? "password")
  }
}

/// How long ago a first factor was. The two programs look at it at different moments.
private struct PendingAge {
  let since: Timestamp
  let until: Timestamp

  /// Milliseconds in which the official emulator takes a second factor.
  private static let longest: Int64 = 3_600_000
  /// Seconds in which production takes the code of a text message.
  private static let longestForPhone: Int64 = 600
  /// Seconds in which it takes the code of an authenticator app.
  private static let longestForApp: Int64 = 300

  func checkBeforeUser(as answers: Switches.Program) throws(APIError) {
    switch answers {
    case .emulator:
      if since.milliseconds < until.milliseconds - Self.longest {
        throw APIError(.invalidMfaPendingCredential)
      }
    case .production: break
    }
  }

  func checkAfterUser(as answers: Switches.Program, withApp: Bool) throws(APIError) {
    switch answers {
    case .emulator: break
    case .production:
      let age = until.seconds - since.seconds
      if withApp, age >= Self.longestForApp { throw APIError(.totpChallengeTimeout) }
      if age >= Self.longestForPhone {
        throw APIError(.invalidMfaPendingCredential, detail: "MFA pending credential is expired.")
      }
    }
  }
}
