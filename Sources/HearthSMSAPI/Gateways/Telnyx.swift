import HearthMime
import HearthTime
import HearthWire

/// Telnyx's messages. https://developers.telnyx.com/api/messaging
enum Telnyx {
  static let rows = [
    SMSRoutes.Row(.telnyx, method: "POST", path: "/v2/messages", answer: send),
    SMSRoutes.Row(.telnyx, method: "GET", path: "/v2/messages/{message}", answer: get),
    SMSRoutes.Row(.telnyx, method: "GET", path: "/v2/public_key", answer: publicKey),
  ]

  private static func send(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    let secret = try authorized(call)
    let number = PhoneNumbers.normal(call.text("to") ?? "")
    guard PhoneNumbers.isValid(number) else {
      throw SMSRefusal(400, code: "40310", message: "Invalid 'to' address", place: "to")
    }
    guard let sender = call.text("from") ?? call.text("messaging_profile_id") else {
      throw SMSRefusal(400, code: "40305", message: "Invalid 'from' address", place: "from")
    }
    guard let body = call.text("text") else {
      throw SMSRefusal(400, code: "40316", message: "No content provided", place: "text")
    }
    let id = context.uuid
    let time = context.machineTime().iso8601
    let message = resource(id, to: number, from: sender, text: body, time: time)
    var text = ProviderText(
      provider: .telnyx, id: id, sender: sender, recipient: number, text: body)
    text.callback = call.text("webhook_url").map { url in
      StatusCallback(
        url: url,
        requests: [("sent", "sent"), ("finalized", "delivered")].map { event, status in
          let message = resource(
            id, to: number, from: sender, text: body, time: time, status: status)
          return request(event, message: message, url: url, secret: secret, context: context)
        })
    }
    let project = try await context.deliver(text).project
    context.remember(id, text: message, in: project)
    return .json(.members(["data": message]))
  }

  private static func request(
    _ event: String, message: JSON, url: String, secret: String, context: SMSContext
  ) -> StatusCallback.Request {
    let now = context.machineTime()
    let body = JSON.members([
      "data": .members([
        "event_type": .string("message.\(event)"), "id": .string(context.uuid),
        "occurred_at": .string(now.iso8601), "record_type": "event", "payload": message,
      ]), "meta": .members(["attempt": 1, "delivered_to": .string(url)]),
    ]).bytes
    return StatusCallback.Request(
      status: event,
      headers: [("Content-Type", "application/json")]
        + CallbackSignature.telnyx(body, secret: secret, at: now),
      body: body)
  }

  private static func authorized(_ call: SMSCall) throws(SMSRefusal) -> String {
    guard let credentials = call.credentials else {
      throw SMSRefusal(401, code: "10009", message: "Authentication failed")
    }
    return credentials.secret
  }

  /// What verifies the call-backs of texts that are sent with the same API key.
  private static func publicKey(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    let key = CallbackSignature.telnyxPublicKey(try authorized(call))
    return .json(.members(["data": .members(["public": .string(key)])]))
  }

  private static func resource(
    _ id: String, to: String, from: String, text: String, time: String, status: String = "queued"
  ) -> JSON {
    let segments = TextSegments(text)
    return .members([
      "record_type": "message", "direction": "outbound", "id": .string(id), "type": "SMS",
      "from": .members(["phone_number": .string(from), "carrier": "", "line_type": ""]),
      "to": [
        .members([
          "phone_number": .string(to), "status": .string(status), "carrier": "", "line_type": "",
        ])
      ],
      "text": .string(text), "parts": .int(Int64(segments.count)),
      "encoding": .string(segments.encoding.rawValue), "media": [], "tags": [], "errors": [],
      "received_at": .string(time), "sent_at": status == "queued" ? .null : .string(time),
      "completed_at": status == "delivered" ? .string(time) : .null,
    ])
  }

  private static func get(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    _ = try authorized(call)
    guard let message = context.text(call.variables["message"] ?? "") else {
      throw SMSRefusal(404, code: "10005", message: "Resource not found")
    }
    return .json(.members(["data": message]))
  }
}
