import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Makes a session cookie of an ID token.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects/createSessionCookie
enum CreateSessionCookie: Operation {
  private static let longest: Double = 14 * 24 * 3600

  struct Request: OperationRequest {
    let idToken: String?
    let validDuration: String?

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      validDuration = wire.string("validDuration")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard request.idToken.isGiven else { throw APIError(.missingIDToken) }
    let rules = try Sessions(in: project).rules()
    let duration = try duration(request.validDuration, zeroIsDefault: rules.takesZeroDuration)
    var claims = try Sessions(in: project).userOfToken(context).claims
    try rules.checkCookieClaims(claims)
    let now = context.now.seconds
    claims["iat"] = .int(now)
    claims["exp"] = .int(now + duration)
    let audience = claims["aud"]?.string ?? project.projectId
    claims["iss"] = .string("https://session.firebase.google.com/\(audience)")
    var answer = Answer(JSONObject(["sessionCookie": ""]), sign: (["sessionCookie"], claims))
    answer.omitsTokenType = !rules.cookiesHaveType
    return .answer(answer)
  }

  /// Seconds between five minutes and two weeks; what is not a number, or zero, means two weeks.
  private static func duration(
    _ text: String?, zeroIsDefault: Bool
  ) throws(APIError) -> Int64 {
    guard let seconds = text.flatMap(JavaScriptNumber.value), seconds != 0 || !zeroIsDefault else {
      return Int64(longest)
    }
    guard seconds >= 300, seconds <= longest else { throw APIError(.invalidDuration) }
    return Int64(seconds)
  }
}
