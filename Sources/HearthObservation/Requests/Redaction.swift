import HearthErrors
package import HearthWire

/// Hides what nobody should read in a log: passwords, tokens and codes.
package enum Redaction {
  private static let secrets: Set<String> = [
    "salt", "signerKey", "postBody", "requestUri", "temporaryProof", "testPhoneNumbers", "oobLink",
    "rawUserInfo", "sessionCookie", "sessionInfo", "verificationProof", "androidVerificationProof",
    "code_verifier", "codeVerifier", "signedJwt", "signedBlob", "SAMLResponse",
  ]
  private static let parts = ["password", "secret", "privatekey", "private_key"]
  private static let endings = ["token", "code", "credential", "assertion"]

  /// Names tell: every back end has its own spelling of a new password.
  private static func isSecret(_ name: String) -> Bool {
    let lowercased = name.lowercased()
    return secrets.contains(name) || parts.contains { lowercased.contains($0) }
      || endings.contains { lowercased.hasSuffix($0) }
  }
  private static let hidden = "(hidden)"

  package static func json(_ json: JSON) -> JSON { self.json(json, of: nil) }

  /// `owner` is the name that the value has.
  private static func json(_ json: JSON, of owner: String?) -> JSON {
    switch json {
    case .object(let object):
      var shown = JSONObject()
      for (name, value) in object.members {
        let isHidden = isSecret(name) && !isStatus(name, value: value, of: owner)
        shown.append(name, value: isHidden ? .string(hidden) : self.json(value, of: name))
      }
      return .object(shown)
    case .array(let elements): return .array(elements.map { self.json($0, of: owner) })
    default: return json
    }
  }

  /// Whether it is the number of an error. Codes that people type have more than three digits.
  private static func isStatus(_ name: String, value: JSON, of owner: String?) -> Bool {
    guard case .int(let number) = value, (0...999).contains(number) else { return false }
    return switch name {
    case "code": owner == "error" || owner == "status"
    case "statusCode", "ErrorCode": true
    default: false
    }
  }

  package static func target(_ target: String) -> String {
    guard let mark = target.firstIndex(of: "?") else { return target }
    var query = FormFields(parsing: target[target.index(after: mark)...])
    query.pairs = query.pairs.map {
      isSecret($0.name) ? FormFields.Pair(name: $0.name, value: hidden) : $0
    }
    return "\(target[..<mark])?\(query.text)"
  }

  /// The message of a refusal. It may repeat what was sent: hidden values are hidden there too, and
  /// where the body cannot be looked through, the code alone is shown.
  package static func reason(_ reason: String, of call: AnsweredCall, body: JSON?) -> String {
    // Messages of Firestore name documents and rules, and no credential.
    if call.operation.hasPrefix("firestore.") { return reason }
    guard let values = secrets(of: call, body) else { return call.error?.name ?? hidden }
    return hiding(values, in: reason)
  }

  /// The answer of a call. It may repeat what was sent, as messages of refusals do.
  package static func response(_ response: JSON, of call: AnsweredCall, body: JSON?) -> JSON {
    if call.operation.hasPrefix("firestore.") { return json(response) }
    guard let values = secrets(of: call, body) else { return .string(hidden) }
    return hiding(values, in: json(response))
  }

  /// What the call sent and nobody should read, the longest first, so that none is left over in part.
  /// Nil where the call cannot be looked through.
  private static func secrets(of call: AnsweredCall, _ body: JSON?) -> [String]? {
    guard !call.isBodyLeftOut, call.body.isEmpty || body != nil else { return nil }
    var values = body.map { secrets(in: $0, isHidden: false) } ?? []
    for pair in FormFields(parsing: call.query).pairs where isSecret(pair.name) {
      values.append(pair.value)
    }
    // A form or a document in a value: the answer may repeat a part of it.
    let isComposite = values.contains { value in value.contains { "=&{".contains($0) } }
    guard !isComposite else { return nil }
    return values.filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }
  }

  private static func hiding(_ values: [String], in text: String) -> String {
    values.reduce(text) { $0.replacing($1, with: hidden) }
  }

  private static func hiding(_ values: [String], in json: JSON) -> JSON {
    guard !values.isEmpty else { return json }
    switch json {
    case .object(let object):
      return .object(
        JSONObject(members: object.members.map { ($0.key, hiding(values, in: $0.value)) }))
    case .array(let elements): return .array(elements.map { hiding(values, in: $0) })
    case .string(let text): return .string(hiding(values, in: text))
    default: return json
    }
  }

  private static func secrets(in json: JSON, isHidden: Bool) -> [String] {
    switch json {
    case .object(let object):
      object.members.flatMap { secrets(in: $0.value, isHidden: isHidden || isSecret($0.key)) }
    case .array(let elements): elements.flatMap { secrets(in: $0, isHidden: isHidden) }
    case .string(let text): isHidden ? [text] : []
    case .int, .double: isHidden ? [json.text] : []
    case .null, .bool: []
    }
  }
}
