import HearthErrors
import HearthMailbox
import HearthOperations
import HearthWire

/// What a function learns about a mail or a text message before it is sent.
struct SendFacts: Sendable {
  let event: BlockingEvent
  fileprivate let claims: JSONObject

  /// Nil for kinds of mails that no function is asked about. Recorded: a mail that verifies an address
  /// is not.
  init?(_ type: OobCode.RequestType, to email: Email) {
    let kind: String
    switch type {
    case .passwordReset: kind = "PASSWORD_RESET"
    case .emailSignin: kind = "EMAIL_SIGN_IN"
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail: return nil
    }
    event = .beforeSendEmail
    claims = JSONObject(["email": email.json, "email_type": .string(kind)])
  }

  init(_ purpose: VerificationCode.Purpose, to phoneNumber: PhoneNumber) {
    event = .beforeSendSms
    claims = JSONObject([
      "phone_number": phoneNumber.json, "sms_type": .string(purpose.smsType),
    ])
  }
}

extension VerificationCode.Purpose {
  fileprivate var smsType: String {
    switch self {
    case .signIn: "SIGN_IN_OR_SIGN_UP"
    case .enrollment: "MULTI_FACTOR_ENROLLMENT"
    case .secondFactor: "MULTI_FACTOR_SIGN_IN"
    }
  }
}

extension BlockingFunctions {
  typealias AfterVerdict =
    @Sendable (SendVerdict?, ProjectTransaction, Context) throws(APIError) -> Outcome

  /// Asks the project's function whether a message may be sent, if there is one.
  ///
  /// The token is about no user: it has neither `sub` nor a record. A function that answers with an
  /// error refuses. `BLOCK` refuses where reCAPTCHA is enforced, and is noted elsewhere, as recorded.
  func sending(
    _ facts: SendFacts?, context: Context, then next: @escaping AfterVerdict
  ) throws(APIError) -> Outcome {
    guard let facts else { return try next(nil, project, context) }
    let projectId = projectId
    return try calling(
      facts.event, context: context,
      claims: { function in
        var claims = BlockingToken.envelope(
          facts.event, to: function, project: projectId, context: context)
        for (name, value) in facts.claims.members { claims.append(name, value: value) }
        return claims
      },
      then: { answer, project, context throws(APIError) in
        guard let answer else { return try next(nil, project, context) }
        let override = answer.json["recaptchaActionOverride"]?.string
        if override == "BLOCK",
          try BlockingFunctions(in: project).enforcesRecaptcha(before: facts.event)
        {
          throw APIError(.captchaCheckFailed, detail: "Recaptcha verification failed")
        }
        let verdict = SendVerdict(
          event: facts.event.rawValue, url: answer.url, override: override)
        return try next(verdict, project, context)
      })
  }

  private func enforcesRecaptcha(before event: BlockingEvent) throws(APIError) -> Bool {
    let name =
      event == .beforeSendSms ? "phoneEnforcementState" : "emailPasswordEnforcementState"
    if let own = try tenant()?.record["recaptchaConfig"] { return own[name]?.string == "ENFORCE" }
    return try settings().config["recaptchaConfig"]?[name]?.string == "ENFORCE"
  }
}
