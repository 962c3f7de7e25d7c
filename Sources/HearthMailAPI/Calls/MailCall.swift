import HearthWire

/// A request to a provider's API.
package struct MailCall: Sendable {
  package let method: String
  package let path: Substring
  package let query: Substring
  /// By name in lower case.
  package let headers: [String: String]
  package let body: [UInt8]
  /// What the path of the row captured.
  package var variables: [String: String] = [:]

  package init(
    method: String, path: Substring, query: Substring, headers: [String: String], body: [UInt8]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The key of the request, wherever its provider expects it.
  package var key: String? {
    headers["x-postmark-server-token"]?.nonEmpty ?? bearer ?? accessKey ?? basicPassword
  }

  /// The project that the request names.
  package var projectHeader: String? { headers["x-hearth-project"] }

  /// The key after `Bearer`.
  var bearer: String? {
    guard let header = headers["authorization"], header.lowercased().hasPrefix("bearer ") else {
      return nil
    }
    return header.dropFirst(7).trimmed.nonEmpty
  }

  /// The password of basic authentication.
  var basicPassword: String? {
    guard let header = headers["authorization"], header.lowercased().hasPrefix("basic "),
      let bytes = Base64.decode(header.dropFirst(6).trimmed)
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last
      .map(String.init).nonEmpty
  }

  /// The access key of AWS's signature, which is not checked.
  var accessKey: String? {
    guard let header = headers["authorization"], header.hasPrefix("AWS4-HMAC-SHA256"),
      let mark = header.firstRange(of: "Credential=")
    else { return nil }
    return String(header[mark.upperBound...].prefix { $0 != "/" && $0 != "," }).nonEmpty
  }
}

extension StringProtocol {
  /// Without blanks on either side.
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}

extension String {
  var nonEmpty: String? { isEmpty ? nil : self }
}

package struct MailReply: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  static func json(_ json: JSON, status: Int = 200) -> MailReply {
    MailReply(
      status: status, headers: [("Content-Type", "application/json; charset=utf-8")],
      body: json.bytes)
  }

  static func text(_ text: String, type: String, status: Int = 200) -> MailReply {
    MailReply(status: status, headers: [("Content-Type", type)], body: Array(text.utf8))
  }
}

/// A refusal, before it is written as the provider writes it.
package struct MailRefusal: Error {
  let status: Int
  /// The provider's name or number of the error.
  let code: String
  let message: String
  /// The field that is wrong, for providers that name it.
  var field: String?

  init(_ status: Int, code: String, message: String, field: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.field = field
  }

  /// A refusal by a provider of which only the status is known.
  package init(_ provider: MailProvider, status: Int, message: String) {
    self.init(status, code: provider.code(of: status), message: message)
  }
}
