import HearthTime
import HearthWire

/// Vonage's Verify v2: it makes up codes, and says whether a code is the right one.
enum VonageVerify {
  private static let lifetime: Int64 = 300
  private static let mostMisses = 3
  private static let service = "vonage"

  /// What a call that starts a verification asks for.
  private struct Start {
    /// What is wrong, and with which field.
    struct Problem: Error {
      let field: String
      let reason: String
    }

    private static let channels = [
      "sms", "whatsapp", "whatsapp_interactive", "voice", "email", "silent_auth",
    ]

    let brand: String
    /// How the code goes out, one way after the other.
    let steps: [Verification.Step]
    /// Seconds.
    let life: Int64
    /// Nil for one that is made up.
    let code: String?
    let length: Int

    init(_ call: SMSCall) throws(Problem) {
      guard let brand = call.text("brand") else {
        throw Problem(field: "brand", reason: "is required")
      }
      guard (1...16).contains(brand.count), brand.utf8.count <= 64 else {
        throw Problem(field: "brand", reason: "has 1 to 16 characters")
      }
      self.brand = brand
      let workflow = call.json["workflow"]?.array ?? []
      guard (1...Self.mostSteps).contains(workflow.count) else {
        throw Problem(field: "workflow", reason: "has 1 to \(Self.mostSteps) steps")
      }
      var steps: [Verification.Step] = []
      for (index, step) in workflow.enumerated() { steps.append(try Self.read(step, at: index)) }
      self.steps = steps
      life = call.json["channel_timeout"]?.integer ?? lifetime
      guard (15...900).contains(life) else {
        throw Problem(field: "channel_timeout", reason: "is from 15 to 900")
      }
      let length = call.json["code_length"]?.integer ?? 4
      guard (4...10).contains(length) else {
        throw Problem(field: "code_length", reason: "is from 4 to 10")
      }
      self.length = Int(length)
      code = call.text("code")
      guard code.map(Self.isCode) ?? true else {
        throw Problem(field: "code", reason: "has 4 to 10 letters and digits")
      }
    }

    private static let mostSteps = 3

    private static func read(_ step: JSON, at index: Int) throws(Problem) -> Verification.Step {
      let place = "workflow[\(index)]"
      guard let channel = step["channel"]?.string, channels.contains(channel) else {
        throw Problem(
          field: "\(place).channel", reason: "is one of \(channels.joined(separator: ", "))")
      }
      guard let given = step["to"]?.string else {
        throw Problem(field: "\(place).to", reason: "is required")
      }
      let to = given.contains("@") ? given : PhoneNumbers.normal(given)
      guard given.contains("@") || PhoneNumbers.isValid(to) else {
        throw Problem(field: "\(place).to", reason: "is not a phone number")
      }
      return Verification.Step(channel: channel, to: to)
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
      return Vonage.invalid(error.field, reason: error.reason, type: "/verify#invalid-params")
    }
    let to = start.steps[0].to
    let project = try await context.project(to)
    let now = context.now(project)
    if let open = context.verification(
      to: to, service: service, where: { $0.isOpen(at: now) })
    {
      return .json(
        .members([
          "title": "Conflict",
          "detail": "Concurrent verifications to the same number are not allowed",
          "type": "https://developer.vonage.com/api-errors/verify#conflict",
          "instance": "hearth", "request_id": .string(open.id),
        ]), status: 409)
    }
    var verification = Verification(
      id: context.uuid, owner: context.owner(project), service: service, to: to,
      code: start.code ?? context.digits(start.length), createdAt: now,
      expiresAt: now + .seconds(start.life))
    verification.brand = start.brand
    verification.steps = start.steps
    try await deliverNext(of: verification, life: start.life, context: context)
    return .json(.members(["request_id": .string(verification.id)]), status: 202)
  }

  /// Sends the code the next way that is left.
  ///
  /// - Returns: false where none is left.
  @discardableResult
  private static func deliverNext(
    of verification: Verification, life: Int64, context: SMSContext
  ) async throws -> Bool {
    guard let step = verification.steps.first else { return false }
    var next = verification
    next.steps.removeFirst()
    next.channel = step.channel
    let brand = verification.brand
    var text = ProviderText(
      provider: .vonage, id: verification.id, sender: brand, recipient: step.to,
      text: "\(brand) code: \(verification.code). Valid for \(max(1, life / 60)) minutes.")
    text.code = verification.code
    text.lifetime = life
    text.channel = step.channel
    context.state.note(try await context.deliver(text), of: next)
    return true
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
        detail: "The code you provided does not match the expected value.",
        type: "/verify#invalid-code")
    }
  }

  static func cancel(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard let verification = open(call, context: context) else { return missing(call) }
    context.state.end(verification.id, as: .canceled)
    return SMSReply(status: 204, contentType: "application/json", body: [])
  }

  static func resend(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard let verification = open(call, context: context) else { return missing(call) }
    let now = context.now(verification.owner.project)
    let life = max(1, verification.expiresAt.seconds - now.seconds)
    guard try await deliverNext(of: verification, life: life, context: context) else {
      return Vonage.problem(
        409, title: "Conflict", detail: "There are no more events left to trigger.")
    }
    return .json([:])
  }
}
