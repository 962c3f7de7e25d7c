import HearthCrypto
import HearthErrors
import HearthOperations
import HearthPages
import HearthSAML
import HearthTime
import HearthTokens
import HearthWire

/// A browser that a service has sent, and what goes back with it.
struct SAMLVisit {
  let request: SAMLRequest
  /// Where the answer goes.
  let consumer: String
  private let relayState: String?
  private let settings: ProviderSettings

  /// Why nobody is signed in, in the second code of a status.
  enum Refusal: String {
    case denied = "RequestDenied"
    case noPassive = "NoPassive"
    /// Without a second code.
    case unavailable = ""
  }

  /// - Throws: ``SAMLRefusal`` or ``AuthorizationRequest/Unanswerable`` for what cannot be answered.
  init(_ call: ProviderCall) throws {
    guard let text = call["SAMLRequest"] else {
      throw AuthorizationRequest.Unanswerable(
        reason: "There is no SAMLRequest. Hearth signs people in only where a service asks for it.")
    }
    let request = try SAMLRequest(encoded: text)
    settings = call.settings
    guard let consumer = request.consumer ?? settings.onlyRedirectURI(of: request.issuer),
      let url = WebURL(consumer), url.fragment == nil, HTML.linkTarget(consumer) != nil,
      consumer.utf8.count <= 4096
    else {
      throw AuthorizationRequest.Unanswerable(
        reason: "The AuthnRequest has no AssertionConsumerServiceURL that is a web address.")
    }
    if let reason = settings.refusal(of: request.issuer, redirectURI: consumer) {
      throw AuthorizationRequest.Unanswerable(reason: reason)
    }
    self.request = request
    self.consumer = consumer
    relayState = call["RelayState"]
    guard relayState?.utf8.count ?? 0 <= 2048 else {
      throw AuthorizationRequest.Unanswerable(reason: "The RelayState is too long.")
    }
  }

  var refusalOnPurpose: Refusal? {
    switch settings.fault {
    case .consentRefused: .denied
    case .temporarilyUnavailable: .unavailable
    default: nil
    }
  }

  // MARK: What goes back

  /// The form with which the browser goes back.
  struct Reply {
    let address: String
    let fields: [FormFields.Pair]

    func outcome(_ call: ProviderCall, cookies: [String] = []) -> Outcome {
      AuthorizationAnswer.post(fields, to: address, call, cookies: cookies)
    }
  }

  func refused(_ refusal: Refusal, _ call: ProviderCall) throws -> Reply {
    var answer = answer(call, at: call.context.now)
    answer.status = ("Responder", refusal.rawValue.isEmpty ? nil : refusal.rawValue)
    return try reply(answer, call)
  }

  func signedIn(
    _ persona: Persona, _ call: ProviderCall, authTime: Int64
  ) throws -> Reply {
    let random = call.context.random
    // All times of an expired answer are old.
    let age: Int64 = settings.fault == .expired ? 3600 : 0
    let now = Timestamp(milliseconds: call.context.now.milliseconds - age * 1000)
    let name = name(of: persona, call)
    var answer = answer(call, at: now)
    answer.statement = SAMLAnswer.Statement(
      id: SAMLRequest.newId(random), name: name.text, format: name.format.rawValue,
      attributes: attributes(of: persona), sessionIndex: SAMLRequest.newId(random),
      authTime: Timestamp(seconds: authTime))
    if settings.fault == .failed { answer.status = ("Requester", nil) }
    return try reply(answer, call)
  }

  private func answer(_ call: ProviderCall, at now: Timestamp) -> SAMLAnswer {
    let fault = settings.fault
    var answer = SAMLAnswer(
      id: SAMLRequest.newId(call.context.random),
      issuer: fault == .wrongIssuer ? "https://somebody-else.example" : call.addresses[.metadata],
      requestId: fault == .wrongNonce ? "_another-request" : request.id,
      destination: fault == .wrongDestination ? "https://somebody-else.example/acs" : consumer,
      audience: fault == .wrongAudience ? "another-client" : request.issuer, now: now)
    answer.signing = fault == .unsigned ? .nothing : settings.signing
    return answer
  }

  private func reply(_ answer: SAMLAnswer, _ call: ProviderCall) throws -> Reply {
    let key =
      settings.fault == .wrongSignature
      ? try SigningKey.generate(now: call.context.now) : call.keys.currentIfReady()
    guard let key else { throw APIError(.internalError) }
    var text = try answer.text(by: key)
    if settings.fault == .tampered {
      // The signature was made before this.
      text = text.replacing("</saml2:NameID>", with: ".changed</saml2:NameID>")
    }
    var fields = [
      FormFields.Pair(name: "SAMLResponse", value: Base64.encode(Array(text.utf8)))
    ]
    if let relayState { fields.append(.init(name: "RelayState", value: relayState)) }
    return Reply(address: consumer, fields: fields)
  }

  /// The form that a browser would get after somebody was chosen.
  static func answered(by persona: Persona, _ call: ProviderCall) throws -> Outcome {
    let visit: SAMLVisit
    do {
      visit = try SAMLVisit(call)
    } catch let problem as AuthorizationRequest.Unanswerable {
      throw APIError(.invalidArgument, detail: problem.reason)
    } catch let refusal as SAMLRefusal {
      throw APIError(.invalidArgument, detail: refusal.description)
    }
    let refusal = persona.denies || persona.isDisabled ? Refusal.denied : visit.refusalOnPurpose
    let reply =
      if let refusal {
        try visit.refused(refusal, call)
      } else {
        try visit.signedIn(persona, call, authTime: call.context.now.seconds)
      }
    return .json([
      "redirect": .string(reply.address), "method": "POST", "address": .string(reply.address),
      "fields": .object(
        JSONObject(members: reply.fields.map { ($0.name, .string($0.value)) })),
    ])
  }

  // MARK: Who it is

  /// An address, unless the service asks for another form of name or the person has no address.
  private func name(
    of persona: Persona, _ call: ProviderCall
  ) -> (text: String, format: SAMLNameFormat) {
    switch request.nameFormat.flatMap(SAMLNameFormat.init) {
    case .transient?: return (SAMLRequest.newId(call.context.random), .transient)
    case .persistent?: break
    case .emailAddress?, nil:
      if let email = persona.email, !persona.hidesEmail { return (email, .emailAddress) }
    }
    let subject = persona.ownSubject ?? call.personality.subject(persona, request.issuer)
    return (subject, .persistent)
  }

  func attributes(of persona: Persona) -> [(name: String, values: [String])] {
    var found: [(name: String, values: [String])] = []
    if let email = persona.email, !persona.hidesEmail { found.append(("email", [email])) }
    found.append(("displayName", [persona.displayName]))
    found.append(("givenName", [persona.givenName]))
    if !persona.familyName.isEmpty { found.append(("surname", [persona.familyName])) }
    if !persona.groups.isEmpty { found.append(("groups", persona.groups)) }
    for (name, value) in persona.claims.members {
      let values = (value.array ?? [value]).map { $0.string ?? $0.text }
      found.removeAll { $0.name == name }
      found.append((name, values))
    }
    return found
  }
}
