import HearthTime
import HearthWire

/// Sinch's batches. https://developers.sinch.com/docs/sms/api-reference/
enum Sinch {
  static let rows = [
    SMSRoutes.Row(.sinch, method: "POST", path: "/oauth2/token", answer: token),
    SMSRoutes.Row(.sinch, method: "POST", path: "/xms/v1/{plan}/batches", answer: send),
    SMSRoutes.Row(.sinch, method: "GET", path: "/xms/v1/{plan}/batches/{batch}", answer: get),
  ]

  /// What the keys of a project are exchanged for. It is the secret, which signs call-backs.
  private static func token(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard let credentials = call.credentials else {
      throw SMSRefusal(401, code: "unauthorized", message: "Unauthorized")
    }
    return .json(
      .members([
        "access_token": .string(credentials.secret), "expires_in": 3_599, "scope": "",
        "token_type": "bearer",
      ]))
  }

  private static func send(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard let secret = call.credentials?.secret else {
      throw SMSRefusal(401, code: "unauthorized", message: "Unauthorized")
    }
    guard !call.isMalformed else {
      throw SMSRefusal(400, code: "syntax_invalid_json", message: "The body is not JSON")
    }
    guard let body = call.text("body") else {
      throw SMSRefusal(
        400, code: "syntax_constraint_violation", message: "Field 'body' is required")
    }
    let numbers = (call.json["to"]?.array ?? []).map { PhoneNumbers.normal($0.string ?? "") }
    guard !numbers.isEmpty, numbers.count <= 1_000, numbers.allSatisfy(PhoneNumbers.isValid) else {
      throw SMSRefusal(
        400, code: "syntax_invalid_parameter_format", message: "Invalid number in field 'to'")
    }
    let wanted = call.text("delivery_report") ?? "none"
    guard ["none", "summary", "full", "per_recipient", "per_recipient_final"].contains(wanted)
    else {
      throw SMSRefusal(
        400, code: "syntax_invalid_parameter_format", message: "Invalid field 'delivery_report'")
    }
    let id = "01" + context.hex(24).uppercased()
    let sender = call.text("from") ?? ""
    var project = context.defaultProject
    for number in numbers {
      var text = ProviderText(
        provider: .sinch, id: id, sender: sender, recipient: number, text: body)
      text.callback = call.text("callback_url").map {
        report($0, id: id, to: number, secret: secret, context: context)
      }
      project = try await context.deliver(text).project
    }
    let time = JSON.string(context.now(project).iso8601)
    let batch = JSON.members([
      "id": .string(id), "to": .strings(numbers.map { String($0.dropFirst()) }),
      "from": .string(sender), "canceled": false, "body": .string(body), "type": "mt_text",
      "created_at": time, "modified_at": time,
      "delivery_report": .string(wanted), "flash_message": false,
    ])
    context.remember(id, text: batch, in: project)
    return .json(batch, status: 201)
  }

  private static func report(
    _ url: String, id: String, to: String, secret: String, context: SMSContext
  ) -> StatusCallback {
    let now = context.machineTime()
    let body = JSON.members([
      "type": "recipient_delivery_report_sms", "batch_id": .string(id),
      "recipient": .string(String(to.dropFirst())), "code": 0, "status": "Delivered",
      "at": .string(now.iso8601),
    ]).bytes
    let signature = CallbackSignature.sinch(
      body, nonce: context.hex(26), secret: secret, at: now)
    return StatusCallback(
      url: url,
      requests: [
        StatusCallback.Request(
          status: "Delivered", headers: [("Content-Type", "application/json")] + signature,
          body: body)
      ])
  }

  private static func get(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else {
      throw SMSRefusal(401, code: "unauthorized", message: "Unauthorized")
    }
    guard let batch = context.text(call.variables["batch"] ?? "") else {
      throw SMSRefusal(404, code: "not_found", message: "Batch not found")
    }
    return .json(batch)
  }
}
