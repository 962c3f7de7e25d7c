import HearthMime
import HearthTime
import HearthWire

/// Vonage: SMS, Messages v1 and Verify v2. https://developer.vonage.com/en/api
enum Vonage {
  static let rows = [
    SMSRoutes.Row(.vonage, method: "POST", path: "/sms/json", answer: sendSMS),
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
  static func reply(_ refusal: SMSRefusal) -> SMSReply {
    if refusal.status == 200 {
      return .json(
        .members([
          "message-count": "1",
          "messages": [
            .members(["status": .string(refusal.code), "error-text": .string(refusal.message)])
          ],
        ]))
    }
    return problem(refusal.status, title: refusal.message)
  }

  static func problem(_ status: Int, title: String, detail: String? = nil) -> SMSReply {
    .json(
      .members([
        "type": "https://developer.vonage.com/api-errors", "title": .string(title),
        "detail": .string(detail ?? title), "instance": "hearth",
      ]), status: status)
  }

  private static func sendSMS(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil || call.text("api_key") != nil || call.query["api_key"] != nil
    else { throw SMSRefusal(200, code: "4", message: "Bad Credentials") }
    guard let from = call.text("from") else {
      throw SMSRefusal(200, code: "2", message: "Missing from param")
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
    text.callback = call.text("callback").map { callback($0, id: id, to: number, from: from) }
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

  private static func callback(
    _ url: String, id: String, to: String, from: String
  ) -> StatusCallback {
    let body = JSON.members([
      "msisdn": .string(String(to.dropFirst())), "to": .string(from), "messageId": .string(id),
      "network-code": "12345", "price": "0.05", "status": "delivered", "err-code": "0",
    ])
    return StatusCallback(
      url: url,
      requests: [
        StatusCallback.Request(
          status: "delivered", headers: [("Content-Type", "application/json")], body: body.bytes)
      ])
  }

  private static func sendMessage(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else { return problem(401, title: "Unauthorized") }
    guard let to = call.text("to"), let from = call.text("from") else {
      return problem(422, title: "Invalid params", detail: "The fields to and from are required.")
    }
    let number = PhoneNumbers.normal(to)
    guard PhoneNumbers.isValid(number) else {
      return problem(422, title: "Invalid params", detail: "The field to is not a phone number.")
    }
    guard let body = call.text("text") else {
      return problem(
        422, title: "Invalid params", detail: "Hearth takes messages of the type text.")
    }
    let id = context.uuid
    var text = ProviderText(provider: .vonage, id: id, sender: from, recipient: number, text: body)
    text.channel = call.text("channel") ?? "sms"
    text.callback = call.text("webhook_url").map {
      let body = JSON.members([
        "message_uuid": .string(id), "to": .string(to), "from": .string(from),
        "status": "delivered", "channel": .string(text.channel),
      ])
      return StatusCallback(
        url: $0,
        requests: [
          StatusCallback.Request(
            status: "delivered", headers: [("Content-Type", "application/json")], body: body.bytes)
        ])
    }
    _ = try await context.deliver(text)
    return .json(.members(["message_uuid": .string(id)]), status: 202)
  }
}

enum VonageVerify {
  private static let lifetime: Int64 = 300
  private static let mostMisses = 3

  static func start(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else { return Vonage.problem(401, title: "Unauthorized") }
    let step = call.json["workflow"]?.array?.first
    guard let brand = call.text("brand"), let channel = step?["channel"]?.string,
      let to = step?["to"]?.string
    else {
      return Vonage.problem(
        422, title: "Invalid params", detail: "The fields brand and workflow are required.")
    }
    let number = to.contains("@") ? to : PhoneNumbers.normal(to)
    guard to.contains("@") || PhoneNumbers.isValid(number) else {
      return Vonage.problem(
        422, title: "Invalid params", detail: "The field to is not a phone number.")
    }
    let length = call.json["code_length"]?.integer ?? 4
    guard (4...10).contains(length) else {
      return Vonage.problem(
        422, title: "Invalid params", detail: "The field code_length is from 4 to 10.")
    }
    let now = context.now(nil)
    if let open = context.state.verification(where: {
      $0.service == "vonage" && $0.to == number && $0.isOpen(at: now)
    }) {
      return .json(
        .members([
          "title": "Conflict",
          "detail": "Concurrent verifications to the same number are not allowed",
          "type": "https://developer.vonage.com/api-errors/verify#conflict",
          "request_id": .string(open.id),
        ]), status: 409)
    }
    let life = call.json["channel_timeout"]?.integer ?? lifetime
    var verification = Verification(
      id: context.uuid, service: "vonage", to: number,
      code: call.text("code") ?? context.digits(Int(length)), createdAt: now,
      expiresAt: now + .seconds(life))
    verification.channel = channel
    try await deliver(verification, brand: brand, life: life, context: context)
    return .json(.members(["request_id": .string(verification.id)]), status: 202)
  }

  private static func deliver(
    _ verification: Verification, brand: String, life: Int64, context: SMSContext
  ) async throws {
    var text = ProviderText(
      provider: .vonage, id: verification.id, sender: brand, recipient: verification.to,
      text: "\(brand) code: \(verification.code). Valid for \(max(1, life / 60)) minutes.")
    text.code = verification.code
    text.lifetime = life
    text.channel = verification.channel
    context.state.note(try await context.deliver(text), of: verification)
  }

  private static func open(_ call: SMSCall, context: SMSContext) -> Verification? {
    guard call.credentials != nil,
      let found = context.state.verification(call.variables["request"] ?? ""),
      found.isOpen(at: context.now(found.kept.first?.project))
    else { return nil }
    return found
  }

  private static func missing(_ call: SMSCall) -> SMSReply {
    guard call.credentials != nil else { return Vonage.problem(401, title: "Unauthorized") }
    let id = call.variables["request"] ?? ""
    return Vonage.problem(
      404, title: "Not Found",
      detail: "Request '\(id)' was not found or it has been verified already.")
  }

  static func check(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard let found = open(call, context: context) else { return missing(call) }
    let now = context.now(found.kept.first?.project)
    switch context.state.guess(call.text("code") ?? "", of: found.id, most: mostMisses, at: now) {
    case .notOpen, .tooMany: return missing(call)
    case .right(let verification):
      for kept in verification.kept { try await context.settle(kept) }
      return .json(.members(["request_id": .string(verification.id), "status": "completed"]))
    case .wrong(let verification) where verification.misses >= mostMisses:
      context.state.end(verification.id, as: .failed)
      return Vonage.problem(
        410, title: "Invalid Code",
        detail: "An incorrect code has been provided too many times. Workflow terminated.")
    case .wrong:
      return Vonage.problem(
        400, title: "Invalid Code",
        detail: "The code you provided does not match the expected value.")
    }
  }

  static func cancel(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard let verification = open(call, context: context) else { return missing(call) }
    context.state.end(verification.id, as: .canceled)
    return SMSReply(status: 204, contentType: "application/json", body: [])
  }

  static func resend(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard let verification = open(call, context: context) else { return missing(call) }
    try await deliver(verification, brand: "Verify", life: lifetime, context: context)
    return .json([:])
  }
}
