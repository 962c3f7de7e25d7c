import HearthTime
import HearthWire

/// Twilio's Verify v2: it makes up codes, and says whether a code is the right one.
/// https://www.twilio.com/docs/verify/api
enum TwilioVerify {
  private static let service = "/v2/Services/{service}"

  static let rows = [
    SMSRoutes.Row(.twilio, method: "POST", path: "/v2/Services", answer: create),
    SMSRoutes.Row(.twilio, method: "POST", path: service + "/Verifications", answer: start),
    SMSRoutes.Row(
      .twilio, method: "GET", path: service + "/Verifications/{verification}", answer: get),
    SMSRoutes.Row(
      .twilio, method: "POST", path: service + "/Verifications/{verification}", answer: update),
    SMSRoutes.Row(.twilio, method: "POST", path: service + "/VerificationCheck", answer: check),
  ]

  private static let lifetime: Int64 = 600
  private static let mostChecks = 5
  private static let mostSends = 5

  private static let channels = ["sms", "call", "email", "whatsapp", "sna", "auto", "rcs"]

  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 320
  }

  private static func invalid(_ name: String, value: String) -> SMSRefusal {
    SMSRefusal(400, code: "60200", message: "Invalid parameter `\(name)`: \(value.prefix(100))")
  }

  private static func create(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    _ = try Twilio.authorized(call)
    guard let name = call.text("FriendlyName") else {
      throw SMSRefusal(400, code: "60200", message: "Invalid parameter: FriendlyName")
    }
    let id = "VA" + context.hex(32)
    return .json(
      .members([
        "sid": .string(id), "account_sid": .string(call.credentials?.user ?? ""),
        "friendly_name": .string(name), "code_length": 6, "lookup_enabled": false,
        "date_created": .string(context.now(nil).iso8601),
        "url": .string("https://verify.twilio.com/v2/Services/\(id)"),
      ]), status: 201)
  }

  private static func start(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    _ = try Twilio.authorized(call)
    let service = call.variables["service"] ?? ""
    let to = PhoneNumbers.normal(call.text("To") ?? "")
    guard let channel = call.text("Channel") else {
      throw SMSRefusal(
        400, code: "60200", message: "Missing required parameter Channel in the post body")
    }
    guard channels.contains(channel) else { throw invalid("Channel", value: channel) }
    guard channel == "email" ? isAddress(to) : PhoneNumbers.isValid(to) else {
      throw invalid("To", value: call.text("To") ?? "")
    }
    let custom = call.text("CustomCode")
    guard custom.map({ (4...10).contains($0.utf8.count) }) ?? true else {
      throw invalid("CustomCode", value: custom ?? "")
    }
    let project = try await context.project(to)
    let now = context.now(project)
    var verification =
      context.verification(to: to, service: service) { $0.isOpen(at: now) }
      ?? Verification(
        id: "VE" + context.hex(32), owner: context.owner(project), service: service, to: to,
        code: custom ?? context.digits(6), createdAt: now,
        expiresAt: now + .seconds(lifetime))
    guard verification.kept.count < mostSends else {
      throw SMSRefusal(429, code: "60203", message: "Max send attempts reached")
    }
    verification.channel = channel
    var text = ProviderText(
      provider: .twilio, id: verification.id, sender: service, recipient: to,
      text: "Your verification code is: \(verification.code)")
    text.code = verification.code
    text.lifetime = lifetime
    text.channel = channel
    let sent = context.state.note(try await context.deliver(text), of: verification)
    return .json(resource(sent, call: call), status: 201)
  }

  private static func get(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    .json(resource(try find(call, context: context), call: call))
  }

  private static func update(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    let verification = try find(call, context: context)
    guard let status = call.text("Status").flatMap(Verification.Status.init),
      status == .canceled || status == .approved
    else { throw SMSRefusal(400, code: "60200", message: "Invalid parameter: Status") }
    let ended = context.state.end(verification.id, as: status) ?? verification
    return .json(resource(ended, call: call))
  }

  private static func find(
    _ call: SMSCall, context: SMSContext
  ) throws(SMSRefusal) -> Verification {
    _ = try Twilio.authorized(call)
    let service = call.variables["service"] ?? ""
    let name = call.variables["verification"] ?? ""
    guard
      let found = context.verification(name, service: service)
        ?? context.verification(to: PhoneNumbers.normal(name), service: service)
    else { throw missing(call) }
    return found
  }

  private static func check(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    _ = try Twilio.authorized(call)
    let service = call.variables["service"] ?? ""
    let to = PhoneNumbers.normal(call.text("To") ?? "")
    let id = call.text("VerificationSid")
    guard let code = call.text("Code") else {
      throw SMSRefusal(400, code: "60200", message: "Invalid parameter: Code")
    }
    let found =
      id.map { context.verification($0, service: service) }
      ?? context.verification(to: to, service: service)
    guard let found else { throw missing(call) }
    let now = context.now(found.owner.project)
    switch context.state.guess(code, of: found.id, most: mostChecks, at: now) {
    case .notOpen: throw missing(call)
    case .tooMany: throw SMSRefusal(429, code: "60202", message: "Max check attempts reached")
    case .wrong(let verification): return .json(resource(verification, call: call))
    case .right(let verification):
      for kept in verification.kept { try await context.settle(kept) }
      return .json(resource(verification, call: call))
    }
  }

  private static func missing(_ call: SMSCall) -> SMSRefusal {
    SMSRefusal(404, code: "20404", message: "The requested resource \(call.path) was not found")
  }

  private static func resource(_ verification: Verification, call: SMSCall) -> JSON {
    let created = JSON.string(verification.createdAt.iso8601)
    return .members([
      "sid": .string(verification.id), "service_sid": .string(verification.service),
      "account_sid": .string(call.credentials?.user ?? ""), "to": .string(verification.to),
      "channel": .string(verification.channel), "status": .string(verification.status.rawValue),
      "valid": .bool(verification.status == .approved), "lookup": [:], "amount": .null,
      "payee": .null,
      "send_code_attempts": .array(
        verification.kept.enumerated().map { index, _ in
          .members([
            "time": created, "channel": .string(verification.channel),
            "attempt_sid": .string("VL" + verification.id.dropFirst(2).dropLast() + String(index)),
          ])
        }),
      "sna": .null, "date_created": created, "date_updated": created,
      "url": .string(
        "https://verify.twilio.com/v2/Services/\(verification.service)/Verifications/"
          + verification.id),
    ])
  }
}
