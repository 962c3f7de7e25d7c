import HearthMime
import HearthTime
import HearthWire

/// Telnyx's messages. https://developers.telnyx.com/api/messaging
enum Telnyx {
  static let rows = [
    SMSRoutes.Row(.telnyx, method: "POST", path: "/v2/messages", answer: send),
    SMSRoutes.Row(.telnyx, method: "GET", path: "/v2/messages/{message}", answer: get),
  ]

  private static func send(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else {
      throw SMSRefusal(401, code: "10009", message: "Authentication failed")
    }
    let number = PhoneNumbers.normal(call.text("to") ?? "")
    guard PhoneNumbers.isValid(number) else {
      throw SMSRefusal(400, code: "40310", message: "Invalid 'to' address")
    }
    guard let sender = call.text("from") ?? call.text("messaging_profile_id") else {
      throw SMSRefusal(400, code: "40305", message: "Invalid 'from' address")
    }
    guard let body = call.text("text") else {
      throw SMSRefusal(400, code: "40316", message: "No content provided")
    }
    let id = context.uuid
    let message = resource(id, to: number, from: sender, text: body, time: context.now(nil).iso8601)
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
    context.state.setText(id, text: message)
    return .json(.members(["data": message]))
  }

  private static func resource(
    _ id: String, to: String, from: String, text: String, time: String
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

  private static func get(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else {
      throw SMSRefusal(401, code: "10009", message: "Authentication failed")
    }
    guard let message = context.state.text(call.variables["message"] ?? "") else {
      throw SMSRefusal(404, code: "10005", message: "Resource not found")
    }
    return .json(.members(["data": message]))
  }
}
