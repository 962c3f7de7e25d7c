import HearthMime
import HearthTime
import HearthWire

/// Telnyx's messages. https://developers.telnyx.com/api/messaging
enum Telnyx {
  static let rows = [
    SMSRoutes.Row(.telnyx, "POST", "/v2/messages", send),
    SMSRoutes.Row(.telnyx, "GET", "/v2/messages/{message}", get),
  ]

  private static func send(_ call: SMSCall, _ context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else { throw SMSRefusal(401, "10009", "Authentication failed") }
    let number = PhoneNumbers.normal(call.text("to") ?? "")
    guard PhoneNumbers.isValid(number) else {
      throw SMSRefusal(400, "40310", "Invalid 'to' address")
    }
    guard let sender = call.text("from") ?? call.text("messaging_profile_id") else {
      throw SMSRefusal(400, "40305", "Invalid 'from' address")
    }
    guard let body = call.text("text") else {
      throw SMSRefusal(400, "40316", "No content provided")
    }
    let id = context.uuid
    let message = resource(id, number, sender, body, context.now(nil).iso8601)
    var text = ProviderText(
      provider: .telnyx, id: id, sender: sender, recipient: number, text: body)
    text.callback = call.text("webhook_url").map { url in
      StatusCallback(
        url: url,
        requests: ["sent", "finalized"].map { status in
          let event = JSON.members([
            "data": .members([
              "event_type": .string("message.\(status)"), "record_type": "event",
              "payload": message,
            ])
          ])
          return StatusCallback.Request(
            status: status, headers: [("Content-Type", "application/json")], body: event.bytes)
        })
    }
    _ = try await context.deliver(text)
    context.state.setText(id, message)
    return .json(.members(["data": message]))
  }

  private static func resource(
    _ id: String, _ to: String, _ from: String, _ text: String, _ time: String
  ) -> JSON {
    let segments = TextSegments(text)
    return .members([
      "record_type": "message", "direction": "outbound", "id": .string(id), "type": "SMS",
      "from": .members(["phone_number": .string(from), "carrier": "", "line_type": ""]),
      "to": [
        .members([
          "phone_number": .string(to), "status": "queued", "carrier": "", "line_type": "",
        ])
      ],
      "text": .string(text), "parts": .int(Int64(segments.count)),
      "encoding": .string(segments.encoding.rawValue), "media": [], "tags": [], "errors": [],
      "received_at": .string(time), "sent_at": .null, "completed_at": .null,
    ])
  }

  private static func get(_ call: SMSCall, _ context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else { throw SMSRefusal(401, "10009", "Authentication failed") }
    guard let message = context.state.text(call.variables["message"] ?? "") else {
      throw SMSRefusal(404, "10005", "Resource not found")
    }
    return .json(.members(["data": message]))
  }
}
