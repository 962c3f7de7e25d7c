import HearthErrors
import HearthOperations
import HearthTokens
import HearthWire

/// The two points at which an app's own function may look at a sign-in and refuse or change it.
enum BlockingEvent: String, Sendable {
  case beforeCreate
  case beforeSignIn
}

/// What a blocking function learns about a sign-in, besides the user.
struct BlockingFacts: Sendable {
  /// `password`, `emailLink`, `phone` or a provider id.
  let signInMethod: String
  var secondFactor: String?
  var signInAttributes: JSON?
  var rawUserInfo: String?
  var oauthAccessToken: String?
  var oauthIDToken: String?

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

extension ProjectTransaction {
  typealias AfterBlocking =
    @Sendable (BlockingChanges, ProjectTransaction, Context) throws(APIError) -> Outcome

  /// The project's function for that event.
  func functionURL(_ event: BlockingEvent) throws(APIError) -> String? {
    let functions = try settings().config["blockingFunctions"]
    return (functions?["triggers"]?[event.rawValue]?["functionUri"]?.string).nonEmpty
  }

  /// Asks the project's function for that event, if there is one, and goes on with what it wants
  /// changed. The call happens between two transactions: what was written so far is committed.
  func blocking(
    _ event: BlockingEvent, _ user: User, _ facts: BlockingFacts, _ context: Context,
    then next: @escaping AfterBlocking
  ) throws(APIError) -> Outcome {
    guard let url = try functionURL(event) else { return try next(.none, self, context) }
    let functions = try settings().config["blockingFunctions"]
    let token = JWT.unsigned(
      BlockingToken(
        event: event, user: user, facts: facts, functionURL: url,
        forwards: functions?["forwardInboundCredentials"]?.object ?? JSONObject()
      ).claims(project: projectId, context))
    let call = BlockingCall(
      url: url, caller: server.functions, isProduction: try answersAsProduction)
    return .away { () async throws(APIError) -> Outcome.Resumption in
      let changes = try await call.changes(token: token)
      return { (project, context) throws(APIError) -> Outcome in
        try next(changes, project, context)
      }
    }
  }
}

/// One call of a blocking function, and what can go wrong with it.
private struct BlockingCall: Sendable {
  let url: String
  let caller: any FunctionCaller
  let isProduction: Bool

  func changes(token: String) async throws(APIError) -> BlockingChanges {
    let reply: FunctionReply
    do throws(FunctionFailure) {
      let body: JSON = .members(["data": .members(["jwt": .string(token)])])
      reply = try await caller.post(body, to: url, within: .seconds(60))
    } catch {
      switch error {
      case .timedOut:
        throw APIError(
          .blockingFunctionFailed, "((Deadline exceeded making request to \(url).))",
          reason: "The operation was aborted.")
      case .unreachable:
        throw APIError(
          .blockingFunctionFailed, "((Failed to make request to \(url).))",
          reason: "fetch failed")
      }
    }
    guard (200..<300).contains(reply.status) else {
      let text = String(decoding: reply.body, as: UTF8.self)
      if isProduction {
        throw APIError(
          .blockingFunctionRefused, "HTTP Cloud Function returned an error: \(text)")
      }
      throw APIError(
        .blockingFunctionRefused,
        "((HTTP request to \(url) returned HTTP error \(reply.status): \(text)))")
    }
    let json: JSON
    do throws(JSON.ParseError) {
      json = try JSON.parse(reply.body)
    } catch {
      throw APIError(
        .blockingFunctionFailed, "((Response body is not valid JSON.))",
        reason: "\(error)")
    }
    if json.isNull { throw .unusableAnswer("The blocking function answered null.") }
    guard let record = json["userRecord"], record.isTruthy else { return .none }
    guard let mask = record["updateMask"]?.string.nonEmpty else {
      throw APIError(
        .blockingFunctionRefused, "((Response UserRecord is missing updateMask.))")
    }
    return BlockingChanges(
      fields: mask.split(separator: ",").map(String.init), record: record.object ?? JSONObject())
  }
}

extension APIError {
  /// The official emulator stumbles over such answers.
  static func unusableAnswer(_ message: String) -> APIError {
    APIError(.unknown, message: message)
  }
}
