import HearthTime
import HearthWire

/// Vonage's Verify v2: it makes up codes, and says whether a code is the right one.
enum VonageVerify {
  private static let lifetime: Int64 = 300
  private static let mostMisses = 3
  private static let service = "vonage"

  /// What a call that starts a verification asks for.
  private struct Start {
    /// What is wrong, in the words of Vonage.
    struct Problem: Error { let detail: String }

    private static let channels = [
      "sms", "whatsapp", "whatsapp_interactive", "voice", "email", "silent_auth",
    ]

    let brand: String
    let channel: String
    /// A number, or an address of mail.
    let to: String
    /// Seconds.
    let life: Int64
    /// Nil for one that is made up.
    let code: String?
    let length: Int

    init(_ call: SMSCall) throws(Problem) {
      let step = call.json["workflow"]?.array?.first
      guard let brand = call.text("brand"), let channel = step?["channel"]?.string,
        let to = step?["to"]?.string
      else { throw Problem(detail: "The fields brand and workflow are required.") }
      guard (1...16).contains(brand.count), brand.utf8.count <= 64 else {
        throw Problem(detail: "The field brand has 1 to 16 characters.")
      }
      guard Self.channels.contains(channel) else {
        throw Problem(
          detail: "The field channel is one of \(Self.channels.joined(separator: ", ")).")
      }
      (self.brand, self.channel) = (brand, channel)
      self.to = to.contains("@") ? to : PhoneNumbers.normal(to)
      guard to.contains("@") || PhoneNumbers.isValid(self.to) else {
        throw Problem(detail: "The field to is not a phone number.")
      }
      life = call.json["channel_timeout"]?.integer ?? lifetime
      guard (15...900).contains(life) else {
        throw Problem(detail: "The field channel_timeout is from 15 to 900.")
      }
      let length = call.json["code_length"]?.integer ?? 4
      guard (4...10).contains(length) else {
        throw Problem(detail: "The field code_length is from 4 to 10.")
      }
      self.length = Int(length)
      code = call.text("code")
      guard code.map(Self.isCode) ?? true else {
        throw Problem(detail: "The field code has 4 to 10 letters and digits.")
      }
    }

    private static func isCode(_ text: String) -> Bool {
      (4...10).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isASCIIAlphanumeric }
    }
  }

  static func start(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else { return Vonage.problem(401, title: "Unauthorized") }
    let start: Start
    do throws(Start.Problem) {
      start = try Start(call)
    } catch {
      return Vonage.problem(422, title: "Invalid params", detail: error.detail)
    }
    let project = try await context.project(start.to)
    let now = context.now(project)
    if let open = context.verification(
      to: start.to, service: service, where: { $0.isOpen(at: now) })
    {
      return .json(
        .members([
          "title": "Conflict",
          "detail": "Concurrent verifications to the same number are not allowed",
          "type": "https://developer.vonage.com/api-errors/verify#conflict",
          "request_id": .string(open.id),
        ]), status: 409)
    }
    var verification = Verification(
      id: context.uuid, owner: context.owner(project), service: service, to: start.to,
      code: start.code ?? context.digits(start.length), createdAt: now,
      expiresAt: now + .seconds(start.life))
    verification.channel = start.channel
    try await deliver(verification, brand: start.brand, life: start.life, context: context)
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
      let found = context.verification(call.variables["request"] ?? "", service: service),
      found.isOpen(at: context.now(found.owner.project))
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
    let now = context.now(found.owner.project)
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
