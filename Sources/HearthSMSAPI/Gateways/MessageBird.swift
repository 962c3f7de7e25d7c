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

  private static func authorize(_ call: SMSCall) throws(SMSRefusal) {
    guard call.credentials != nil else {
      throw SMSRefusal(401, code: "2", message: "Request not allowed (incorrect access_key)")
    }
  }

  private static func send(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    try authorize(call)
    guard let sender = call.text("originator") else {
      throw SMSRefusal(422, code: "9", message: "originator is required")
    }
    guard let body = call.text("body") else {
      throw SMSRefusal(422, code: "9", message: "body is required")
    }
    let listed =
      call.json["recipients"]?.array?.compactMap { $0.string ?? $0.integer.map { String($0) } }
      ?? (call.text("recipients") ?? "").split(separator: ",").map(String.init)
    let numbers = listed.map(PhoneNumbers.normal)
    guard !numbers.isEmpty, numbers.count <= 50, numbers.allSatisfy(PhoneNumbers.isValid) else {
      throw SMSRefusal(422, code: "9", message: "no (correct) recipients found")
    }
    let id = context.hex(32)
    for number in numbers {
      var text = ProviderText(
        provider: .messagebird, id: id, sender: sender, recipient: number, text: body)
      if let reference = call.text("reference") { text.metadata["reference"] = .string(reference) }
      text.callback = call.text("reportUrl").map { url in
        StatusCallback(
          url: url,
          requests: [
            StatusCallback.Request(
              status: "delivered", method: "GET",
              query: Twilio.form([
                ("id", id), ("recipient", String(number.dropFirst())), ("status", "delivered"),
                ("statusReason", "successfully delivered"),
              ]), headers: [], body: [])
          ])
      }
      _ = try await context.deliver(text)
    }
    let message = resource(id, sender: sender, body: body, numbers: numbers, now: context.now(nil))
    context.state.setText(id, text: message)
    return .json(message, status: 201)
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
    guard let message = context.state.text(call.variables["message"] ?? "") else {
      throw SMSRefusal(404, code: "20", message: "message not found")
    }
    return .json(message)
  }

  // MARK: Verify

  private static let mostMisses = 3

  private static func verify(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    try authorize(call)
    let to = PhoneNumbers.normal(call.text("recipient") ?? "")
    guard PhoneNumbers.isValid(to) else {
      throw SMSRefusal(422, code: "9", message: "recipient is invalid")
    }
    let life = call.text("timeout").flatMap(Int64.init) ?? 30
    let length = call.text("tokenLength").flatMap(Int.init) ?? 6
    guard (30...172_800).contains(life), (6...10).contains(length) else {
      throw SMSRefusal(422, code: "10", message: "timeout or tokenLength is invalid")
    }
    let now = context.now(nil)
    let verification = Verification(
      id: context.hex(32), service: "messagebird", to: to, code: context.digits(length),
      createdAt: now, expiresAt: now + .seconds(life))
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
    guard let verification = context.state.verification(call.variables["verification"] ?? "")
    else { throw SMSRefusal(404, code: "20", message: "verify not found") }
    guard let token = call.query["token"] else {
      return .json(resource(verification, status: "sent"))
    }
    let now = context.now(verification.kept.first?.project)
    switch context.state.guess(token, of: verification.id, most: mostMisses, at: now) {
    case .notOpen, .tooMany:
      throw SMSRefusal(422, code: "10", message: "The token has expired or was tried too often.")
    case .wrong: throw SMSRefusal(422, code: "10", message: "The token is invalid.")
    case .right(let verification):
      for kept in verification.kept { try await context.settle(kept) }
      return .json(resource(verification, status: "verified"))
    }
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
