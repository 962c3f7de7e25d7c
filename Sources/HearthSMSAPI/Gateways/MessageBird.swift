import HearthTime
import HearthWire

/// MessageBird: messages and Verify. https://developers.messagebird.com/api/
enum MessageBird {
  static let rows = [
    SMSRoutes.Row(.messagebird, method: "POST", path: "/messages", answer: send),
    SMSRoutes.Row(.messagebird, method: "GET", path: "/messages/{message}", answer: get),
    SMSRoutes.Row(.messagebird, method: "POST", path: "/verify", answer: verify),
    SMSRoutes.Row(.messagebird, method: "GET", path: "/verify/{verification}", answer: check),
  ]

  /// A sender that is a name, not a number.
  private static let longestName = 11

  @discardableResult
  private static func authorize(_ call: SMSCall) throws(SMSRefusal) -> String {
    guard let credentials = call.credentials else {
      throw SMSRefusal(
        401, code: "2", message: "Request not allowed (incorrect access_key)",
        place: "access_key")
    }
    return credentials.secret
  }

  private static func send(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    let secret = try authorize(call)
    guard let sender = call.text("originator") else {
      throw SMSRefusal(422, code: "9", message: "originator is required", place: "originator")
    }
    guard sender.count <= longestName || PhoneNumbers.isValid(PhoneNumbers.normal(sender)) else {
      throw SMSRefusal(422, code: "10", message: "originator is invalid", place: "originator")
    }
    guard let body = call.text("body") else {
      throw SMSRefusal(422, code: "9", message: "body is required", place: "body")
    }
    let listed =
      call.json["recipients"]?.array?.compactMap { $0.string ?? $0.integer.map { String($0) } }
      ?? (call.text("recipients") ?? "").split(separator: ",").map(String.init)
    let numbers = listed.map(PhoneNumbers.normal)
    guard !numbers.isEmpty, numbers.count <= 50, numbers.allSatisfy(PhoneNumbers.isValid) else {
      throw SMSRefusal(
        422, code: "9", message: "no (correct) recipients found", place: "recipients")
    }
    let id = context.hex(32)
    var project = context.defaultProject
    for number in numbers {
      var text = ProviderText(
        provider: .messagebird, id: id, sender: sender, recipient: number, text: body)
      if let reference = call.text("reference") { text.metadata["reference"] = .string(reference) }
      text.callback = call.text("reportUrl").map {
        report($0, id: id, to: number, secret: secret, context: context)
      }
      project = try await context.deliver(text).project
    }
    let message = resource(
      id, sender: sender, body: body, numbers: numbers, now: context.now(project))
    context.remember(id, text: message, in: project)
    return .json(message, status: 201)
  }

  /// A request without a body: the signature is over the address.
  private static func report(
    _ url: String, id: String, to: String, secret: String, context: SMSContext
  ) -> StatusCallback {
    let now = context.machineTime()
    var request = StatusCallback.Request(
      status: "delivered", method: "GET",
      query: Twilio.form([
        ("id", id), ("recipient", String(to.dropFirst())), ("status", "delivered"),
        ("statusReason", "successfully delivered"), ("statusDatetime", now.iso8601),
      ]), headers: [], body: [])
    let signature = CallbackSignature.messageBird(
      request.address(of: url), id: context.uuid, secret: secret, at: now)
    request.headers.append(("MessageBird-Signature-JWT", signature))
    return StatusCallback(url: url, requests: [request])
  }

  private static func resource(
    _ id: String, sender: String, body: String, numbers: [String], now: Timestamp
  ) -> JSON {
    let time = JSON.string(now.iso8601)
    let items = numbers.map { number in
      JSON.members([
        "recipient": .int(Int64(number.dropFirst()) ?? 0), "status": "sent",
        "statusDatetime": time,
      ])
    }
    return .members([
      "id": .string(id), "href": .string("https://rest.messagebird.com/messages/\(id)"),
      "direction": "mt", "type": "sms", "originator": .string(sender), "body": .string(body),
      "reference": .null, "validity": .null, "gateway": 10, "typeDetails": [:],
      "datacoding": "plain", "mclass": 1, "scheduledDatetime": .null, "createdDatetime": time,
      "recipients": .members([
        "totalCount": .int(Int64(numbers.count)), "totalSentCount": .int(Int64(numbers.count)),
        "totalDeliveredCount": 0, "totalDeliveryFailedCount": 0, "items": .array(items),
      ]),
    ])
  }

  private static func get(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    try authorize(call)
    guard let message = context.text(call.variables["message"] ?? "") else {
      throw SMSRefusal(404, code: "20", message: "message not found")
    }
    return .json(message)
  }

  // MARK: Verify

  private static let mostMisses = 3
  private static let service = "messagebird"

  private static func verify(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    try authorize(call)
    let to = PhoneNumbers.normal(call.text("recipient") ?? "")
    guard PhoneNumbers.isValid(to) else {
      throw SMSRefusal(422, code: "9", message: "recipient is invalid", place: "recipient")
    }
    let life = call.text("timeout").flatMap(Int64.init) ?? 30
    let length = call.text("tokenLength").flatMap(Int.init) ?? 6
    guard (30...172_800).contains(life), (6...10).contains(length) else {
      throw SMSRefusal(422, code: "10", message: "timeout or tokenLength is invalid")
    }
    let project = try await context.project(to)
    let now = context.now(project)
    let verification = Verification(
      id: context.hex(32), owner: context.owner(project), service: service, to: to,
      code: context.digits(length), createdAt: now, expiresAt: now + .seconds(life))
    let template = call.text("template") ?? "Your code is %token"
    var text = ProviderText(
      provider: .messagebird, id: verification.id, sender: call.text("originator") ?? "Code",
      recipient: to, text: template.replacing("%token", with: verification.code))
    text.code = verification.code
    text.lifetime = life
    context.state.note(try await context.deliver(text), of: verification)
    return .json(resource(verification, status: "sent"), status: 201)
  }

  private static func check(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    try authorize(call)
    guard
      let verification = context.verification(
        call.variables["verification"] ?? "", service: service)
    else { throw SMSRefusal(404, code: "20", message: "verify not found") }
    let now = context.now(verification.owner.project)
    guard let token = call.query["token"] else {
      return .json(resource(verification, status: state(of: verification, at: now)))
    }
    switch context.state.guess(token, of: verification.id, most: mostMisses, at: now) {
    case .notOpen, .tooMany:
      throw SMSRefusal(
        422, code: "10", message: "The token has expired or was tried too often.",
        place: "token")
    case .wrong:
      throw SMSRefusal(422, code: "10", message: "The token is invalid.", place: "token")
    case .right(let verification):
      for kept in verification.kept { try await context.settle(kept) }
      return .json(resource(verification, status: "verified"))
    }
  }

  private static func state(of verification: Verification, at now: Timestamp) -> String {
    if verification.status == .approved { return "verified" }
    if verification.misses >= mostMisses { return "failed" }
    return verification.isOpen(at: now) ? "sent" : "expired"
  }

  private static func resource(_ verification: Verification, status: String) -> JSON {
    .members([
      "id": .string(verification.id),
      "href": .string("https://rest.messagebird.com/verify/\(verification.id)"),
      "recipient": .int(Int64(verification.to.dropFirst()) ?? 0), "reference": .null,
      "messages": .members(["href": "https://rest.messagebird.com/messages/0"]),
      "status": .string(status), "createdDatetime": .string(verification.createdAt.iso8601),
      "validUntilDatetime": .string(verification.expiresAt.iso8601),
    ])
  }
}
