import HearthCrypto
import HearthErrors
import HearthTime
import HearthWire

/// How a request ended, and what its reply can tell.
struct Verdict: Sendable {
  let outcome: Outcome
  var values = Values()

  init(_ outcome: Outcome, values: Values = Values()) {
    self.outcome = outcome
    self.values = values
  }
}

/// One request on its way through an endpoint.
struct DialectExchange<BackEnd: DialectBackEnd> {
  let call: DialectCall
  let endpoint: Endpoint
  let backEnd: BackEnd
  let now: Timestamp
  let random: Randomness

  var definition: DialectDefinition { call.definition }
  var sessions: Sessions<BackEnd> { Sessions(definition, backEnd: backEnd) }

  func verdict() throws(APIError) -> Verdict {
    if let fault = fieldFault() { return fault }
    return switch endpoint.procedure {
    case .requestReset, .replacePassword: try request()
    case .verifyToken: try verify()
    case .confirmReset: try confirm()
    case .logIn: try logIn()
    case .refreshSession: try refreshSession()
    case .logOut: try logOut()
    case .profile: try profile()
    }
  }

  /// What keeps the request from being understood at all.
  private func fieldFault() -> Verdict? {
    guard call.body != nil || !endpoint.fields.values.contains(where: { $0.place == .body }) else {
      return Verdict(.malformedBody)
    }
    let missing = endpoint.procedure.requiredFields.first { call[$0] == nil }
    if let missing { return missingField(missing) }
    guard endpoint.procedure.needsAccount, call[.email] == nil, call[.phone] == nil else {
      return nil
    }
    return missingField(endpoint.fields[.email] == nil ? .phone : .email)
  }

  func missingField(_ field: Field) -> Verdict {
    var values = Values()
    values[.field] = (endpoint.fields[field]?.name).json
    return Verdict(.missingField, values: values)
  }

  /// Whom the request names; nil when it names nobody, or in a form that nobody can have.
  var identity: DialectIdentity? {
    if let email = call[.email] { return ContactSyntax.email(email).map(DialectIdentity.email) }
    return call[.phone].flatMap(ContactSyntax.phone).map(DialectIdentity.phone)
  }

  /// What the client sent of itself, for replies that must not tell more.
  var sentValues: Values {
    var values = Values()
    values[.email] = call[.email].json
    values[.phone] = call[.phone].json
    return values
  }
}

extension Values {
  init(_ account: DialectAccount) {
    self.init()
    self[.userId] = .string(account.id)
    self[.email] = account.email.json
    self[.phone] = account.phone.json
    self[.displayName] = account.displayName.json
    self[.photoUrl] = account.photoURL.json
    self[.createdAt] = .string(account.createdAt.iso8601)
  }

  mutating func setLifetime(_ time: TokenLifetime) {
    self[.lifetime] = .string(time.words)
    self[.minutes] = .int(time.minutes)
  }

  mutating func setExpiry(_ end: Timestamp, now: Timestamp) {
    self[.expiresAt] = .string(end.iso8601)
    self[.expiresAtUnix] = .int(end.seconds)
    self[.expiresIn] = .int(max(0, end.seconds - now.seconds))
  }
}
