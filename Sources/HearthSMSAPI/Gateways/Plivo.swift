import HearthCrypto
import HearthWire

/// Plivo's messages. https://www.plivo.com/docs/messaging/api/message/
enum Plivo {
  static let rows = [
    SMSRoutes.Row(.plivo, method: "POST", path: "/v1/Account/{account}/Message/", answer: send)
  ]

  private static func send(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard let credentials = call.credentials else {
      throw SMSRefusal(401, code: "", message: "could not verify your access level for that url.")
    }
    guard let body = call.text("text") else {
      throw SMSRefusal(400, code: "", message: "text is required")
    }
    guard let sender = call.text("src") ?? call.text("powerpack_uuid") else {
      throw SMSRefusal(400, code: "", message: "src or powerpack_uuid is required")
    }
    let numbers = (call.text("dst") ?? "").split(separator: "<").map {
      PhoneNumbers.normal(String($0))
    }
    guard !numbers.isEmpty, numbers.count <= 1_000, numbers.allSatisfy(PhoneNumbers.isValid) else {
      throw SMSRefusal(400, code: "", message: "dst is not valid")
    }
    var ids: [JSON] = []
    for number in numbers {
      let id = context.uuid
      var text = ProviderText(
        provider: .plivo, id: id, sender: sender, recipient: number, text: body)
      text.callback = call.text("url").map {
        callback($0, id: id, to: number, from: sender, secret: credentials.secret, context: context)
      }
      _ = try await context.deliver(text)
      ids.append(.string(id))
    }
    return .json(
      .members([
        "message": "message(s) queued", "message_uuid": .array(ids),
        "api_id": .string(context.uuid),
      ]), status: 202)
  }

  /// The address with a mark and its sorted query, and a full stop where there is one.
  private static func signedAddress(_ url: String) -> String {
    let parts = url.split(separator: "#").first.map { $0.split(separator: "?", maxSplits: 1) } ?? []
    let fields = FormFields(parsing: parts.count > 1 ? parts[1] : "").pairs
      .map { (name: $0.name, value: $0.value) }
      .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    let query = fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return (parts.first ?? "") + "?" + (query.isEmpty ? "" : query + ".")
  }

  /// Signed as its third version: the address, the sorted fields, and a word that is used once.
  private static func callback(
    _ url: String, id: String, to: String, from: String, secret: String, context: SMSContext
  ) -> StatusCallback {
    StatusCallback(
      url: url,
      requests: ["sent", "delivered"].map { status in
        let fields = [
          ("From", from), ("MessageUUID", id), ("Status", status), ("To", String(to.dropFirst())),
          ("Type", "sms"),
        ]
        let nonce = context.hex(20)
        let signed = "\(signedAddress(url))\(fields.map { $0.0 + $0.1 }.joined()).\(nonce)"
        let mac = Digest.sha256.hmac(Array(signed.utf8), key: Array(secret.utf8))
        return StatusCallback.Request(
          status: status,
          headers: [
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("X-Plivo-Signature-V3", Base64.encode(mac)), ("X-Plivo-Signature-V3-Nonce", nonce),
          ],
          body: Array(Twilio.form(fields).utf8))
      })
  }
}
