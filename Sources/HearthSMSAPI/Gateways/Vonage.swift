import HearthMime
import HearthTime
import HearthWire

/// Vonage: SMS and Messages v1. https://developer.vonage.com/en/api
enum Vonage {
  static let rows = [
    SMSRoutes.Row(
      .vonage, method: "POST", path: "/sms/json", refuse: refusalOfSMS, answer: sendSMS),
    SMSRoutes.Row(.vonage, method: "POST", path: "/v1/messages", answer: sendMessage),
    SMSRoutes.Row(.vonage, method: "POST", path: "/v2/verify", answer: VonageVerify.start),
    SMSRoutes.Row(
      .vonage, method: "POST", path: "/v2/verify/{request}", answer: VonageVerify.check),
    SMSRoutes.Row(
      .vonage, method: "DELETE", path: "/v2/verify/{request}", answer: VonageVerify.cancel),
    SMSRoutes.Row(
      .vonage, method: "POST", path: "/v2/verify/{request}/next_workflow",
      answer: VonageVerify.resend),
  ]

  /// The older API answers 200 with a status of its own, whatever happened.
  @Sendable private static func refusalOfSMS(_ refusal: SMSRefusal) -> SMSReply {
    .json(
      .members([
        "message-count": "1",
        "messages": [
          .members(["status": .string(refusal.code), "error-text": .string(refusal.message)])
        ],
      ]))
  }

  static func reply(_ refusal: SMSRefusal) -> SMSReply {
    // A text that is too long has the status of the older API.
    let status = refusal.status == 200 ? 422 : refusal.status
    return problem(status, title: refusal.message)
  }

  static func problem(
    _ status: Int, title: String, detail: String? = nil, type: String? = nil
  ) -> SMSReply {
    .json(
      .object(problemBody(status, title: title, detail: detail, type: type)), status: status)
  }

  private static func problemBody(
    _ status: Int, title: String, detail: String?, type: String?
  ) -> JSONObject {
    let names = [
      400: "bad-request", 401: "unauthorized", 403: "forbidden", 404: "not-found", 409: "conflict",
      410: "gone", 429: "throttled",
    ]
    let end = type ?? names[status].map { "#\($0)" } ?? ""
    return JSONObject([
      "type": .string("https://developer.vonage.com/api-errors\(end)"), "title": .string(title),
      "detail": .string(detail ?? title), "instance": "hearth",
    ])
  }

  /// What is wrong with a field of a request.
  static func invalid(_ name: String, reason: String, type: String) -> SMSReply {
    var body = problemBody(
      422, title: "Invalid params",
      detail: "The value of one or more parameters is invalid.", type: type)
    body["invalid_parameters"] = [
      .members(["name": .string(name), "reason": .string(reason)])
    ]
    return .json(.object(body), status: 422)
  }

  private static func sendSMS(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil || call.text("api_key") != nil || call.query["api_key"] != nil
    else { throw SMSRefusal(200, code: "4", message: "Bad Credentials") }
    guard let from = call.text("from") else {
      throw SMSRefusal(200, code: "2", message: "Missing from param")
    }
    guard from.utf8.count <= ProviderText.longestSender else {
      throw SMSRefusal(200, code: "15", message: "Invalid sender address")
    }
    guard let to = call.text("to") else {
      throw SMSRefusal(200, code: "2", message: "Missing to param")
    }
    guard let body = call.text("text") ?? call.text("body") else {
      throw SMSRefusal(200, code: "2", message: "Missing text param")
    }
    let number = PhoneNumbers.normal(to)
    guard PhoneNumbers.isValid(number) else {
      throw SMSRefusal(200, code: "3", message: "Invalid to number")
    }
    let id = context.uuid
    var text = ProviderText(provider: .vonage, id: id, sender: from, recipient: number, text: body)
    if let reference = call.text("client-ref") { text.metadata["client-ref"] = .string(reference) }
    text.callback = call.text("callback").map {
      callback($0, id: id, to: number, from: from, secret: secret(of: call), context: context)
    }
    _ = try await context.deliver(text)
    let count = TextSegments(body).count
    return .json(
      .members([
        "message-count": .string(String(count)),
        "messages": .array(
          (0..<count).map { _ in
            .members([
              "to": .string(String(number.dropFirst())), "message-id": .string(id),
              "status": "0", "remaining-balance": "100.0", "message-price": "0.05",
              "network": "12345", "client-ref": call.text("client-ref").map(JSON.string),
            ])
          }),
      ]))
  }

  /// What call-backs are signed with: the API's secret. Calls that are signed themselves, and tokens of
  /// an application, do not tell one: then it is the API key, or the application's id.
  private static func secret(of call: SMSCall) -> String {
    if let secret = call.text("api_secret") ?? call.query["api_secret"] { return secret }
    if let key = call.text("api_key") ?? call.query["api_key"] { return key }
    guard let credentials = call.credentials else { return "" }
    return application(of: credentials.secret) ?? credentials.secret
  }

  /// The claim of a token that an application signed.
  private static func application(of token: String) -> String? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decode(String(parts[1])) else { return nil }
    return (try? JSON.parse(bytes))?["application_id"]?.string
  }

  private static func callback(
    _ url: String, id: String, to: String, from: String, secret: String, context: SMSContext
  ) -> StatusCallback {
    let now = context.machineTime()
    let fields = CallbackSignature.vonage(
      [
        ("msisdn", String(to.dropFirst())), ("to", from), ("messageId", id),
        ("network-code", "12345"), ("price", "0.05"), ("status", "delivered"), ("err-code", "0"),
        ("message-timestamp", now.iso8601),
      ], secret: secret, at: now)
    var body = JSONObject()
    for (name, value) in fields { body[name] = .string(value) }
    return StatusCallback(
      url: url,
      requests: [
        StatusCallback.Request(
          status: "delivered", headers: [("Content-Type", "application/json")],
          body: JSON.object(body).bytes)
      ])
  }

  private static func status(
    _ url: String, id: String, to: String, from: String, channel: String, call: SMSCall,
    context: SMSContext
  ) -> StatusCallback {
    let secret = secret(of: call)
    let now = context.machineTime()
    let key = call.credentials?.user ?? ""
    let requests = ["submitted", "delivered"].map { status in
      let body = JSON.members([
        "message_uuid": .string(id), "to": .string(String(to.dropFirst())), "from": .string(from),
        "timestamp": .string(now.iso8601), "status": .string(status), "channel": .string(channel),
      ]).bytes
      let token = CallbackSignature.vonage(
        body, id: context.uuid, key: application(of: key) ?? key, secret: secret, at: now)
      return StatusCallback.Request(
        status: status,
        headers: [
          ("Content-Type", "application/json"), ("Authorization", "Bearer \(token)"),
        ],
        body: body)
    }
    return StatusCallback(url: url, requests: requests)
  }

  private static func sendMessage(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else { return problem(401, title: "Unauthorized") }
    func invalid(_ name: String, reason: String) -> SMSReply {
      Self.invalid(name, reason: reason, type: "/messages#1150")
    }
    guard let to = call.text("to") else { return invalid("to", reason: "is required") }
    guard let from = call.text("from") else { return invalid("from", reason: "is required") }
    let number = PhoneNumbers.normal(to)
    guard PhoneNumbers.isValid(number) else {
      return invalid("to", reason: "is not a phone number")
    }
    guard let body = call.text("text"), body.unicodeScalars.count <= 3_200 else {
      return invalid(
        "text", reason: "Hearth takes messages of the type text, of at most 3200 characters")
    }
    let id = context.uuid
    var text = ProviderText(provider: .vonage, id: id, sender: from, recipient: number, text: body)
    text.channel = call.text("channel") ?? "sms"
    text.callback = call.text("webhook_url").map {
      status(
        $0, id: id, to: number, from: from, channel: text.channel, call: call, context: context)
    }
    _ = try await context.deliver(text)
    return .json(.members(["message_uuid": .string(id)]), status: 202)
  }
}
