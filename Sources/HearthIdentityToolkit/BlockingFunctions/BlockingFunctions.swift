import HearthErrors
import HearthOperations
import HearthWire

/// What a blocking function learns about a sign-in, besides the user.
struct BlockingFacts: Sendable {
  /// `password`, `emailLink`, `phone` or a provider id.
  let signInMethod: String
  var secondFactor: String?
  var signInAttributes: JSON?
  var rawUserInfo: String?
  var oauthAccessToken: String?
  var oauthIDToken: String?
  var oauthTokenSecret: String?
  var oauthRefreshToken: String?
  /// Seconds.
  var oauthExpiresIn: Int64?

  init(signInMethod: String) { self.signInMethod = signInMethod }
}

/// What a blocking function wants changed.
struct BlockingChanges: Sendable {
  static let none = BlockingChanges(fields: [], record: JSONObject())

  let fields: [String]
  let record: JSONObject

  /// Claims for this session and its refresh token.
  var sessionClaims: JSONObject? {
    guard fields.contains("sessionClaims"), case .object(let claims)? = record["sessionClaims"]
    else { return nil }
    return claims
  }

  /// Refuses claims with which no token can be signed.
  func checkSessionClaims() throws(APIError) {
    guard let claims = sessionClaims else { return }
    for name in ["sub", "iss", "aud", "exp"] where claims[name] != nil {
      throw .unusableAnswer("A token cannot be signed with \(name) among its sessionClaims.")
    }
    switch claims["iat"] {
    case nil, .int?, .double?: return
    case .null?, .bool?, .string?, .array?, .object?:
      throw .unusableAnswer(
        "A token cannot be signed with sessionClaims whose iat is not a number.")
    }
  }

  func apply(to user: inout User) throws(APIError) {
    for field in fields {
      switch field {
      case "displayName": user.displayName = text(field)
      case "photoUrl": user.photoUrl = text(field)
      case "disabled": user.disabled = AccountFlag(record[field]?.isTruthy ?? false)
      case "emailVerified": user.emailVerified = AccountFlag(record[field]?.isTruthy ?? false)
      case "customClaims":
        guard let claims = record[field]?.text else {
          throw .unusableAnswer("The blocking function's customClaims are masked but missing.")
        }
        try CustomClaims.check(claims)
        user.customAttributes = claims
      default: break
      }
    }
  }

  private func text(_ field: String) -> String? {
    switch record[field] {
    case .string(let text)?: text
    case .int, .double, .bool: record[field]?.text
    case .null?, .array?, .object?, nil: nil
    }
  }
}

extension BlockingChanges {
  /// Reads the answer of a function. Without a record it changes nothing.
  fileprivate init(answer: JSON?) throws(APIError) {
    guard let record = answer?["userRecord"], record.isTruthy else {
      self = .none
      return
    }
    guard let mask = record["updateMask"]?.string.nonEmpty else {
      throw APIError(
        .blockingFunctionRefused, detail: "((Response UserRecord is missing updateMask.))")
    }
    self.init(
      fields: mask.split(separator: ",").map(String.init), record: record.object ?? JSONObject())
  }
}

/// The app's own functions in a sign-in, and before a message.
struct BlockingFunctions: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

extension BlockingFunctions {
  typealias AfterBlocking =
    @Sendable (BlockingChanges, ProjectTransaction, Context) throws(APIError) -> Outcome

  /// Asks the project's function for that event, if there is one, and goes on with what it wants
  /// changed.
  func blocking(
    _ event: BlockingEvent, user: User, facts: BlockingFacts, context: Context,
    then next: @escaping AfterBlocking
  ) throws(APIError) -> Outcome {
    let projectId = projectId
    return try calling(
      event, context: context,
      claims: { function in
        BlockingToken(event: event, user: user, facts: facts, function: function)
          .claims(project: projectId, context)
      },
      then: { answer, project, context throws(APIError) in
        try next(BlockingChanges(answer: answer?.json), project, context)
      })
  }
}
