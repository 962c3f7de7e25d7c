import HearthCrypto
import HearthMime
import HearthWire

/// Twilio's Messages. https://www.twilio.com/docs/messaging/api/message-resource
enum Twilio {
  private static let messages = "/2010-04-01/Accounts/{account}/Messages"

  static let rows =
    [
      SMSRoutes.Row(.twilio, method: "POST", path: messages + ".json", answer: send),
      SMSRoutes.Row(.twilio, method: "GET", path: messages + "/{message}", answer: get),
      SMSRoutes.Row(.twilio, method: "GET", path: "/v2/PhoneNumbers/{number}", answer: lookUp),
    ] + TwilioVerify.rows

  static func authorized(_ call: SMSCall) throws(SMSRefusal) -> String {
    guard let credentials = call.credentials else {
      throw SMSRefusal(401, code: "20003", message: "Authenticate")
    }
    return credentials.secret
  }

  /// The numbers of Twilio's test credentials that are refused.
  private static let magicSenders = [
    "+15005550001": ("21212", "is not a valid phone number"),
    "+15005550007": ("21606", "is not a valid, SMS-capable number for your account"),
    "+15005550008": ("21611", "has exceeded the maximum number of queued messages"),
  ]
  private static let magicRecipients = [
    "+15005550001": ("21211", "is not a valid phone number."),
    "+15005550002": ("21612", "is not currently reachable"),
    "+15005550003": ("21408", "is in a region that is not enabled for the account"),
    "+15005550004": ("21610", "has unsubscribed"),
    "+15005550009": ("21614", "is not a mobile number"),
  ]

  private static func send(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    let secret = try authorized(call)
    guard let to = call.text("To") else {
      throw SMSRefusal(400, code: "21604", message: "A 'To' phone number is required.")
    }
    let number = PhoneNumbers.normal(to)
    if let (code, words) = magicRecipients[number] {
      throw SMSRefusal(400, code: code, message: "The 'To' number \(to.prefix(100)) \(words)")
    }
    guard PhoneNumbers.isValid(number) else {
      throw SMSRefusal(
        400, code: "21211",
        message: "The 'To' number \(to.prefix(100)) is not a valid phone number.")
    }
    let service = call.text("MessagingServiceSid")
    guard let from = call.text("From") ?? service else {
      throw SMSRefusal(400, code: "21603", message: "A 'From' phone number is required.")
    }
    if let (code, words) = magicSenders[PhoneNumbers.normal(from)] {
      throw SMSRefusal(400, code: code, message: "The 'From' number \(from) \(words)")
    }
    guard let body = call.text("Body") ?? call.text("MediaUrl") ?? call.text("ContentSid") else {
      throw SMSRefusal(400, code: "21602", message: "Message body is required.")
    }
    let id = "SM" + context.hex(32)
    let message = resource(call, id: id, to: number, from: from, body: body, date: context.date())
    var text = ProviderText(
      provider: .twilio, id: id, sender: from, recipient: number, text: body)
    text.channel = to.hasPrefix("whatsapp:") ? "whatsapp" : "sms"
    text.callback = call.text("StatusCallback").map {
      callback($0, id: id, to: number, from: from, call: call, secret: secret)
    }
    let project = try await context.deliver(text).project
    var kept = message.object ?? JSONObject()
    kept["error_code"] = call.undelivered.flatMap { Int64($0.code) }.map(JSON.int) ?? .null
    kept["error_message"] = call.undelivered.map { .string($0.message) } ?? .null
    context.remember(id, text: .object(kept), in: project)
    return .json(message, status: 201)
  }

  private static func resource(
    _ call: SMSCall, id: String, to: String, from: String, body: String, date: String
  ) -> JSON {
    let account = call.variables["account"] ?? ""
    let service = call.text("MessagingServiceSid")
    let path = "/2010-04-01/Accounts/\(account)/Messages/\(id)"
    let date = JSON.string(date)
    return .members([
      "sid": .string(id), "date_created": date, "date_updated": date, "date_sent": .null,
      "account_sid": .string(account), "to": .string(to),
      "from": service == nil ? .string(from) : .null,
      "messaging_service_sid": service.map(JSON.string) ?? .null, "body": .string(body),
      "status": service == nil ? "queued" : "accepted",
      "num_segments": .string(service == nil ? String(TextSegments(body).count) : "0"),
      "num_media": call.text("MediaUrl") == nil ? "0" : "1", "direction": "outbound-api",
      "api_version": "2010-04-01", "price": .null, "price_unit": "USD", "error_code": .null,
      "error_message": .null, "uri": .string(path + ".json"),
      "subresource_uris": .members(["media": .string(path + "/Media.json")]),
    ])
  }

  private static func get(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    _ = try authorized(call)
    let name = call.variables["message"] ?? ""
    let id = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    guard var message = context.text(id)?.object else {
      throw SMSRefusal(
        404, code: "20404", message: "The requested resource \(call.path) was not found")
    }
    message["status"] = message["error_code"]?.integer == nil ? "delivered" : "undelivered"
    message["date_sent"] = message["date_created"]
    return .json(.object(message))
  }

  private static func lookUp(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    _ = try authorized(call)
    let number = PhoneNumbers.normal(call.variables["number"] ?? "")
    let isValid = PhoneNumbers.isValid(number)
    return .json(
      .members([
        "phone_number": .string(number), "valid": .bool(isValid),
        "validation_errors": isValid ? [] : ["NOT_A_NUMBER"],
        "national_format": isValid ? .string(String(number.dropFirst())) : .null,
        "calling_country_code": .null, "country_code": .null,
        "url": .string("https://lookups.twilio.com/v2/PhoneNumbers/\(number)"),
      ]))
  }

  // MARK: What it tells the app

  private static func callback(
    _ url: String, id: String, to: String, from: String, call: SMSCall, secret: String
  ) -> StatusCallback {
    let account = call.variables["account"] ?? ""
    let last = call.undelivered == nil ? "delivered" : "undelivered"
    return StatusCallback(
      url: url,
      requests: ["queued", "sent", last].map { status in
        var fields = [
          ("AccountSid", account), ("ApiVersion", "2010-04-01"), ("From", from),
          ("MessageSid", id), ("MessageStatus", status), ("SmsSid", id), ("SmsStatus", status),
          ("To", to),
        ]
        // Fields are signed in the order of their names.
        if let refusal = call.undelivered, status == last {
          fields.insert(("ErrorCode", refusal.code), at: 2)
        }
        let signed = url + fields.map { $0.0 + $0.1 }.joined()
        let mac = Digest.sha1.hmac(Array(signed.utf8), key: Array(secret.utf8))
        return StatusCallback.Request(
          status: status,
          headers: [
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("X-Twilio-Signature", Base64.encode(mac)),
          ],
          body: Array(Self.form(fields).utf8))
      })
  }

  static func form(_ fields: [(String, String)]) -> String {
    fields.map { "\($0)=\(PercentCoding.encodeComponent($1))" }.joined(separator: "&")
  }
}
