package import HearthWire

/// A request to a gateway.
package struct SMSCall: Sendable {
  package let method: String
  package let path: Substring
  package let query: FormFields
  /// By name in lower case.
  package let headers: [String: String]
  package let body: [UInt8]
  /// What the path of the row captured.
  package var variables: [String: String] = [:]
  /// Why the text is taken and does not arrive: a test has asked for that.
  var undelivered: SMSRefusal?
  let form: FormFields
  let json: JSONObject
  /// Whether the body begins as JSON and cannot be read as such.
  let isMalformed: Bool

  package init(
    method: String, path: Substring, query: Substring, headers: [String: String], body: [UInt8]
  ) {
    self.method = method
    self.path = path
    self.query = FormFields(parsing: query)
    self.headers = headers
    self.body = body
    // One that is refused for its size is not read.
    let read = body.count <= Self.longestBody ? body : []
    // What is in neither form is refused by what misses its fields.
    let isJSON = read.first { $0 > 0x20 } == UInt8(ascii: "{")
    let parsed = isJSON ? try? JSON.parse(read, within: Self.bounds) : nil
    isMalformed = isJSON && parsed == nil
    json = parsed?.object ?? JSONObject()
    form = isJSON ? FormFields() : FormFields(parsing: String(decoding: read, as: UTF8.self))
  }

  private static let bounds = JSON.Bounds(values: 10_000, members: 1_000)
  package static let longestBody = 256 << 10

  /// A value of the form or of the JSON object.
  func text(_ name: String) -> String? {
    let value = form[name] ?? json[name]?.string ?? json[name]?.integer.map { String($0) }
    return value?.isEmpty == false ? value : nil
  }

  /// The user of basic authentication and its password; the key of other schemes.
  var credentials: (user: String, secret: String)? {
    let header = headers["authorization"] ?? ""
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let value = String(parts[1])
    switch parts[0].lowercased() {
    case "basic":
      guard let bytes = Base64.decode(value) else { return nil }
      let pair = String(decoding: bytes, as: UTF8.self).split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, !pair[0].isEmpty else { return nil }
      return (String(pair[0]), String(pair[1]))
    case "bearer", "accesskey": return (value, value)
    case "aws4-hmac-sha256":
      guard let mark = value.firstRange(of: "Credential=") else { return nil }
      let key = String(value[mark.upperBound...].prefix { $0 != "/" && $0 != "," })
      return key.isEmpty ? nil : (key, key)
    default: return nil
    }
  }

  /// Whether the signature of Amazon's clients is for the service.
  func isSigned(for service: String) -> Bool {
    (headers["authorization"] ?? "").contains("/\(service)/aws4_request")
  }

  /// Any part of the credentials may be the id of a project.
  package var projectNames: [String] {
    [
      headers["x-hearth-project"], credentials?.user, credentials?.secret, text("api_key"),
      text("api_secret"), query["api_key"], query["api_secret"],
    ].compactMap { $0 }
  }
}

package struct SMSReply: Sendable {
  package var status: Int
  package var contentType: String
  package var body: [UInt8]
  package var headers: [(name: String, value: String)] = []

  static func json(_ json: JSON, status: Int = 200) -> SMSReply {
    SMSReply(status: status, contentType: "application/json", body: json.bytes)
  }

  static func xml(_ text: String, status: Int = 200) -> SMSReply {
    SMSReply(status: status, contentType: "text/xml", body: Array(text.utf8))
  }
}

/// A refusal, before it is written as the gateway writes it.
package struct SMSRefusal: Error, Sendable {
  let status: Int
  /// The gateway's name or number of the error.
  let code: String
  let message: String
  /// The member that is wrong, and why; for gateways that say so.
  let place: String?
  let reason: String

  init(
    _ status: Int, code: String, message: String, place: String? = nil, reason: String = ""
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.place = place
    self.reason = reason
  }

  /// A refusal of which only the status is known. Its message may begin with the gateway's code, as
  /// in `21610` and `ConflictException: blocked`.
  package init(_ provider: SMSProvider, status: Int, message: String) {
    let parts = message.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let word = parts.first ?? ""
    let isCode =
      !word.isEmpty && word.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
      && (parts.count > 1 || word.utf8.allSatisfy(\.isASCIIDigit))
    self.init(
      status, code: isCode ? String(word) : provider.code(of: status),
      message: isCode && parts.count > 1
        ? String(parts[1].drop { $0 == " " }) : message)
  }

  /// Whether the gateway takes the text, and tells of it later.
  func isOfDelivery(by provider: SMSProvider) -> Bool {
    provider == .twilio && (Int(code).map { (30_000..<31_000).contains($0) } ?? false)
  }

  /// The reason of Amazon's conflicts is a word in capitals.
  var reasonOfAmazon: JSON? {
    message.contains("_") && !message.contains(" ") ? .string(message) : nil
  }
}

/// A text as an app sent it, to one number.
package struct ProviderText: Sendable {
  package let provider: SMSProvider
  package let id: String
  package let sender: String
  package let recipient: String
  package let text: String
  /// What a gateway made up; else codes are looked for in the text.
  package var code: String?
  /// Seconds for which the code counts.
  package var lifetime: Int64?
  package var channel = "sms"
  package var metadata = JSONObject()
  package var callback: StatusCallback?
}

/// What a gateway tells the app later.
package struct StatusCallback: Sendable {
  package let url: String
  package let requests: [Request]

  package struct Request: Sendable {
    package let status: String
    package var method = "POST"
    package var query = ""
    package var headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// Where the request goes: the address of the app, and the query.
    package func address(of url: String) -> String {
      query.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + query
    }
  }
}
