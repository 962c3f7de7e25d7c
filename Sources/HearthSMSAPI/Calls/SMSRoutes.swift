package import HearthWire

/// What the port of the send APIs answers for gateways: all of them at its root, since their paths
/// differ.
package enum SMSRoutes {
  package struct Row: RouteRow {
    package let method: String
    package let template: PathTemplate
    package let provider: SMSProvider
    typealias Answer = @Sendable (SMSCall, SMSContext) async throws -> SMSReply
    let answer: Answer
    /// How it writes refusals, where that is not as its provider does elsewhere.
    let refuse: (@Sendable (SMSRefusal) -> SMSReply)?

    init(
      _ provider: SMSProvider, method: String, path: String,
      refuse: (@Sendable (SMSRefusal) -> SMSReply)? = nil, answer: @escaping Answer
    ) {
      self.provider = provider
      self.method = method
      template = PathTemplate(path)
      self.refuse = refuse
      self.answer = answer
    }

    func reply(_ refusal: SMSRefusal) -> SMSReply {
      refuse?(refusal) ?? provider.reply(refusal)
    }
  }

  package static let all: [Row] =
    Twilio.rows + Vonage.rows + MessageBird.rows + Bird.rows + Plivo.rows + Telnyx.rows + Sinch.rows

  private static let table = RouteTable(all)

  /// Amazon's have the root in common with its mails: the action tells them apart.
  private static func amazon(_ call: SMSCall) -> Row? {
    guard call.method == "POST", call.path == "/" else { return nil }
    if call.headers["x-amz-target"]?.hasPrefix(AmazonSMS.prefix) == true {
      return Row(.awsSMS, method: "POST", path: "/", answer: AmazonSMS.send)
    }
    let isOurs = call.form["Action"].map(SNS.actions.contains) == true || call.isSigned(for: "sns")
    return isOurs ? Row(.sns, method: "POST", path: "/", answer: SNS.answer) : nil
  }

  private static func find(_ call: SMSCall) -> (row: Row, variables: [String: String])? {
    if let row = amazon(call) { return (row, [:]) }
    guard case .found(let row, let variables) = table.match(method: call.method, path: call.path)
    else { return nil }
    return (row, variables)
  }

  /// Nil for a request that no gateway has.
  package static func answer(_ call: SMSCall, context: SMSContext) async -> SMSReply? {
    guard let (row, variables) = find(call) else { return nil }
    var call = call
    call.variables = variables
    do {
      guard call.body.count <= SMSCall.longestBody else {
        throw SMSRefusal(row.provider, status: 413, message: "The request is too large.")
      }
      do {
        try await context.admit(row.provider)
      } catch let refusal as SMSRefusal where refusal.isOfDelivery(by: row.provider) {
        call.undelivered = refusal
      }
      return try await row.answer(call, context)
    } catch let refusal as SMSRefusal {
      return row.reply(refusal)
    } catch {
      return row.reply(
        SMSRefusal(row.provider, status: 500, message: "The text could not be stored: \(error)"))
    }
  }

  private static let prefixes: [(String, SMSProvider)] = [
    ("/2010-04-01/", .twilio), ("/v2/Services", .twilio), ("/v2/PhoneNumbers", .twilio),
    ("/sms/", .vonage), ("/v1/messages", .vonage), ("/v2/verify", .vonage),
    ("/v1/Account/", .plivo), ("/v2/messages", .telnyx), ("/xms/", .sinch), ("/oauth2/", .sinch),
    ("/messages", .messagebird), ("/verify", .messagebird), ("/workspaces/", .bird),
    ("/organizations/", .bird),
  ]

  /// A refusal in the form of the provider whose path it is; nil for the path of none.
  package static func refusal(of path: Substring, status: Int, message: String) -> SMSReply? {
    guard let provider = prefixes.first(where: { path.hasPrefix($0.0) })?.1 else { return nil }
    return provider.reply(SMSRefusal(provider, status: status, message: message))
  }

  /// The answer to a call that the provider has and Hearth has not.
  package static func missing(_ call: SMSCall) -> SMSReply? {
    var status = 404
    if case .wrongMethod = table.match(method: call.method, path: call.path) { status = 405 }
    return refusal(
      of: call.path, status: status,
      message: "Hearth does not answer \(call.method) \(call.path.prefix(200)).")
  }
}

extension SMSProvider {
  /// The gateway's code for a refusal of which only the status is known.
  func code(of status: Int) -> String {
    switch self {
    case .twilio:
      [401: "20003", 403: "21608", 404: "20404", 405: "20004", 429: "20429"][status]
        ?? (status < 500 ? "20001" : "20500")
    case .vonage:
      [401: "4", 402: "9", 403: "7", 429: "1"][status] ?? (status < 500 ? "3" : "5")
    case .messagebird: [401: "2", 404: "20", 405: "20"][status] ?? (status < 500 ? "9" : "99")
    case .bird:
      [401: "Unauthorized", 404: "ResourceNotFound", 429: "RateLimited"][status]
        ?? (status < 500 ? "InvalidPayload" : "InternalError")
    case .sns:
      [403: "AuthorizationError", 429: "Throttled"][status]
        ?? (status < 500 ? "InvalidParameter" : "InternalError")
    case .awsSMS:
      [403: "AccessDeniedException", 429: "ThrottlingException"][status]
        ?? (status < 500 ? "ValidationException" : "InternalServerException")
    case .plivo: ""
    case .telnyx: [401: "10009", 404: "10005", 429: "10011"][status] ?? "10015"
    case .sinch:
      [401: "unauthorized", 404: "not_found", 429: "throttled"][status]
        ?? (status < 500 ? "syntax_constraint_violation" : "internal_error")
    }
  }

  /// A refusal as the gateway writes it.
  func reply(_ refusal: SMSRefusal) -> SMSReply {
    let message = JSON.string(refusal.message)
    let code = JSON.string(refusal.code)
    let number = Int64(refusal.code).map(JSON.int) ?? code
    switch self {
    case .twilio:
      return .json(
        .members([
          "code": number, "message": message,
          "more_info": .string("https://www.twilio.com/docs/errors/\(refusal.code)"),
          "status": .int(Int64(refusal.status)),
        ]), status: refusal.status)
    case .vonage: return Vonage.reply(refusal)
    case .messagebird:
      return .json(
        .members([
          "errors": [
            .members([
              "code": number, "description": message,
              "parameter": refusal.place.map(JSON.string) ?? .null,
            ])
          ]
        ]), status: refusal.status)
    case .bird:
      let details = refusal.place.map { JSON.members([$0: .strings([refusal.reason])]) }
      return .json(
        .members(["code": code, "message": message, "details": details]), status: refusal.status)
    case .sns: return SNS.reply(refusal)
    case .awsSMS:
      let field = refusal.place.map { JSON.members(["Name": .string($0), "Message": message]) }
      let reason =
        refusal.place == nil ? refusal.reasonOfAmazon : JSON.string("FIELD_VALIDATION_FAILED")
      var reply = SMSReply.json(
        .members([
          "__type": code, "Message": message, "Reason": reason,
          "Fields": field.map { .array([$0]) },
        ]), status: refusal.status)
      reply.contentType = "application/x-amz-json-1.0"
      return reply
    case .plivo:
      return .json(.members(["api_id": "hearth", "error": message]), status: refusal.status)
    case .telnyx:
      return .json(
        .members([
          "errors": [
            .members([
              "code": code, "title": message, "detail": message,
              "source": refusal.place.map { .members(["pointer": .string("/\($0)")]) },
            ])
          ]
        ]), status: refusal.status)
    case .sinch:
      return .json(.members(["code": code, "text": message]), status: refusal.status)
    }
  }
}
