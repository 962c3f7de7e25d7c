package import HearthWire

/// A request as it came, without HTTP.
package struct DialectRequest: Sendable {
  package typealias Header = (name: String, value: String)

  package let method: String
  /// As sent, percent-encoded, without the query.
  package let path: String
  package let query: FormFields
  package let headers: [Header]
  package let body: [UInt8]
  package let remoteAddress: String

  package init(
    method: String, path: String, query: FormFields = FormFields(), headers: [Header] = [],
    body: [UInt8] = [], remoteAddress: String = "127.0.0.1"
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
  }

  func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }

  /// The members of the body; an empty body has none. Nil when it is neither a form nor an object.
  ///
  /// What begins like an object is read as one: curl calls everything a form.
  var bodyMembers: JSONObject? {
    if body.isEmpty { return JSONObject() }
    if body.first(where: { $0 > 0x20 }) != UInt8(ascii: "{"),
      header("Content-Type")?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
    {
      let form = FormFields(parsing: String(decoding: body, as: UTF8.self))
      return JSONObject(members: form.pairs.map { (key: $0.name, value: .string($0.value)) })
    }
    return (try? JSON.parse(body))?.object
  }
}

/// An answer, without HTTP.
package struct DialectAnswer: Sendable {
  package typealias Header = (name: String, value: String)

  package let outcome: Outcome
  package let status: Int
  package let headers: [Header]
  /// Nil for an answer without a body; else `application/json`.
  package let body: JSON?
}
