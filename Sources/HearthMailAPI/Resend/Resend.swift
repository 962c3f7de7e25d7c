import HearthMime
import HearthWire

/// Resend: https://resend.com/docs/api-reference
enum Resend {
  /// Sends one mail.
  static func send(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    return try await once(call, key: key, context: context) {
      let email = try ResendEmail(body(call))
      let id = try await deliver(email, call: call, key: key, context: context)
      return ["id": .string(id)]
    }
  }

  /// Sends up to a hundred. With strict validation, which is the standard, one wrong mail keeps all
  /// from being sent.
  static func sendBatch(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    return try await once(call, key: key, context: context) {
      guard let items = try body(call).array, !items.isEmpty, items.count <= 100 else {
        throw MailRefusal(
          422, code: "validation_error", message: "The body must be a list of 1 to 100 emails.")
      }
      let isPermissive = call.headers["x-batch-validation"] == "permissive"
      var emails: [ResendEmail] = []
      var errors: [JSON] = []
      for (index, item) in items.enumerated() {
        do throws(MailRefusal) {
          emails.append(try ResendEmail(item))
        } catch {
          guard isPermissive else { throw error }
          errors.append(["index": .int(Int64(index)), "message": .string(error.message)])
        }
      }
      var sent: [JSON] = []
      for email in emails {
        sent.append([
          "id": .string(try await deliver(email, call: call, key: key, context: context))
        ])
      }
      var reply = JSONObject(["data": .array(sent)])
      if isPermissive { reply["errors"] = .array(errors) }
      return .object(reply)
    }
  }

  static func get(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    .json(.object(try known(call, context: context)))
  }

  static func list(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    _ = try authorized(call)
    let limit = FormFields(parsing: call.query)["limit"].flatMap { Int($0) } ?? 20
    let emails = context.state.emails(max(1, min(limit, 100)))
    return .json([
      "object": "list", "has_more": false, "data": .array(emails.map(JSON.object)),
    ])
  }

  /// Changes when a mail is to be sent. Here it was delivered at once; the time is noted.
  static func update(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    var email = try known(call, context: context)
    email["scheduled_at"] = try body(call)["scheduled_at"] ?? .null
    return change(email, context: context)
  }

  static func cancel(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    var email = try known(call, context: context)
    email["last_event"] = "canceled"
    return change(email, context: context)
  }

  // MARK: Parts

  private static func change(_ email: JSONObject, context: MailAPIContext) -> MailReply {
    let id = email["id"]?.string ?? ""
    context.state.setEmail(id, email: email)
    return .json(["object": "email", "id": .string(id)])
  }

  private static func known(_ call: MailCall, context: MailAPIContext) throws -> JSONObject {
    _ = try authorized(call)
    guard let email = context.state.email(call.variables["id"] ?? "") else {
      throw MailRefusal(404, code: "not_found", message: "The email was not found.")
    }
    return email
  }

  private static func authorized(_ call: MailCall) throws(MailRefusal) -> String {
    guard let key = call.bearer else {
      throw MailRefusal(
        401, code: "missing_api_key", message: "The header Authorization has no API key.")
    }
    return key
  }

  private static func body(_ call: MailCall) throws(MailRefusal) -> JSON {
    guard let body = try? JSON.parse(call.body) else {
      throw MailRefusal(400, code: "validation_error", message: "The body is not JSON.")
    }
    return body
  }

  /// The same key and body get the same answer for a day, and nothing is sent again.
  private static func once(
    _ call: MailCall, key: String, context: MailAPIContext, send: () async throws -> JSON
  ) async throws -> MailReply {
    guard let name = call.headers["idempotency-key"] else { return .json(try await send()) }
    guard (1...256).contains(name.count) else {
      throw MailRefusal(
        400, code: "invalid_idempotency_key", message: "An idempotency key has 1 to 256 characters."
      )
    }
    let slot = "\(key) \(call.path) \(name)"
    var hasher = Hasher()
    call.body.withUnsafeBytes { hasher.combine(bytes: $0) }
    let body = hasher.finalize()
    if let answer = context.state.reserve(slot, body: body, at: context.seconds()) {
      guard answer.body == body else {
        throw MailRefusal(
          409, code: "invalid_idempotent_request",
          message: "This idempotency key was used with another body.")
      }
      guard let reply = answer.reply else {
        throw MailRefusal(
          409, code: "concurrent_idempotent_requests",
          message: "A request with this idempotency key is under way."
        )
      }
      return .json(reply)
    }
    do {
      let reply = try await send()
      context.state.settle(slot, reply: reply)
      return .json(reply)
    } catch {
      context.state.settle(slot, reply: nil)
      throw error
    }
  }

  private static func deliver(
    _ email: ResendEmail, call: MailCall, key: String, context: MailAPIContext
  ) async throws -> String {
    let id = context.newId()
    var mail = ProviderMail(.resend, call: call, key: key, draft: email.draft, bcc: email.bcc)
    mail.tags = email.tags
    mail.metadata = email.metadata
    try await context.deliver(mail, "\(id)@resend.dev")
    // What is kept for later questions has a bound: large mails are in the mailbox alone.
    var kept = call.body.count <= 64 << 10 ? email.summary : JSONObject()
    kept["object"] = "email"
    kept["id"] = .string(id)
    kept["created_at"] = .string(context.time())
    kept["last_event"] = .string(mail.fate?.rawValue ?? "delivered")
    context.state.setEmail(id, email: kept)
    return id
  }
}
