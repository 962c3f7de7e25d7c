import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// A browser that a client has sent with a token.
struct TokenVisit {
  private let token: String
  private var grant: Grant
  private let call: ProviderCall
  private let endpoint: ProviderAddresses.Endpoint

  /// Nil for a token that was not given out, has ended, or was answered before.
  private init?(_ call: ProviderCall, endpoint: ProviderAddresses.Endpoint) throws {
    guard let token = call["oauth_token"],
      let grant = try RequestToken.grant(
        token, provider: call.personality.name, in: call.grants, call.context),
      grant.persona.isEmpty
    else { return nil }
    self.token = token
    self.grant = grant
    self.call = call
    self.endpoint = endpoint
  }

  static func answer(
    _ call: ProviderCall, endpoint: ProviderAddresses.Endpoint
  ) throws -> Outcome {
    guard let visit = try TokenVisit(call, endpoint: endpoint) else {
      return Authorize.page(
        ProviderPage.notice(
          call.personality.title, heading: "This request cannot be answered",
          text: "The request token is unknown, has expired, or was used."), status: 403)
    }
    return try visit.decide()
  }

  /// Who is at the browser, and whether anybody has to be asked.
  private func decide() throws -> Outcome {
    if call.settings.fault == .consentRefused { return try refuse().outcome(call) }
    // A page of ours has been answered. Other pages cannot choose somebody.
    if let choice = call.choice, !call.context.isOfForeignPage {
      guard let persona = try call.personas.persona(choice) else {
        return try refuse().outcome(call)
      }
      if let page = Authorize.secondFactor(of: persona, call, action: call.asked[endpoint]) {
        return page
      }
      return try signIn(persona, remembers: true)
    }
    if case .authenticateToken = endpoint, call["force_login"] != "true",
      let session = try call.session(), let persona = try call.personas.persona(session.persona),
      call["screen_name"].map({ $0 == persona.login }) ?? true,
      try call.hasConsent(of: persona, client: grant.client)
    {
      return try signIn(persona, remembers: false)
    }
    return Authorize.page(
      ProviderPage.login(
        call.personality.title, client: grant.client, personas: try personas(),
        fields: call.fields, action: call.asked[endpoint]))
  }

  /// The one who is meant comes first.
  private func personas() throws -> [Persona] {
    let all = try call.personas.all()
    guard let name = call["screen_name"] else { return all }
    return all.filter { $0.login == name } + all.filter { $0.login != name }
  }

  private func signIn(_ persona: Persona, remembers: Bool) throws -> Outcome {
    if persona.isDisabled { return Authorize.disabled(persona, call) }
    if persona.denies || call["consent"] == "no" { return try refuse().outcome(call) }
    if call.settings.asksConsent, call["consent"] != "yes",
      try !call.hasConsent(of: persona, client: grant.client)
    {
      return Authorize.page(
        ProviderPage.consent(
          call.personality.title, client: grant.client, persona: persona, scopes: [],
          fields: call.fields, action: call.asked[endpoint]))
    }
    let cookies = remembers ? [try call.remember(persona, at: call.context.now.seconds)] : []
    return try allow(persona).outcome(call, cookies: cookies)
  }

  // MARK: Answers

  /// What goes back to the client by way of the browser.
  private struct Reply {
    let callback: String
    let fields: [FormFields.Pair]

    /// Nil where the client has no address.
    var location: String? {
      guard callback != RequestToken.outOfBand else { return nil }
      return callback + (callback.contains("?") ? "&" : "?") + FormFields(fields).text
    }

    func outcome(_ call: ProviderCall, cookies: [String] = []) -> Outcome {
      let headers = cookies.map { (name: "Set-Cookie", value: $0) } + ProviderCall.uncached
      if let location {
        return .answer(
          Answer(status: 302, body: .empty, headers: headers + [("Location", location)]))
      }
      let number = fields.first { $0.name == "oauth_verifier" }?.value
      return Authorize.page(
        ProviderPage.notice(
          call.personality.title, heading: number == nil ? "Refused" : "Your number for the app",
          text: number ?? "Nothing was sent to the app."))
    }
  }

  private func allow(_ persona: Persona) throws -> Reply {
    var grant = grant
    let callback = grant.redirectURI ?? RequestToken.outOfBand
    let random = call.context.random
    // What is typed is short.
    let verifier =
      callback == RequestToken.outOfBand ? random.digits(7) : random.alphanumeric(32)
    grant.persona = persona.id
    grant.note = verifier
    try RequestToken.keep(grant, token: token, in: call.grants, call.context)
    try call.keepConsent(of: persona, client: grant.client)
    return Reply(
      callback: callback,
      fields: [
        .init(name: "oauth_token", value: token), .init(name: "oauth_verifier", value: verifier),
      ])
  }

  private func refuse() throws -> Reply {
    try call.grants.forget(token, kind: .requestToken)
    return Reply(
      callback: grant.redirectURI ?? RequestToken.outOfBand,
      fields: [.init(name: "denied", value: token)])
  }

  // MARK: Without a browser

  /// The redirect that the browser would have followed.
  static func answered(by persona: Persona, _ call: ProviderCall) throws -> Outcome {
    guard call.personality.speaksOAuth1,
      let visit = try TokenVisit(call, endpoint: .authorizeToken)
    else {
      throw APIError(
        .invalidArgument, detail: "The request token is unknown, has expired, or was used.")
    }
    let isRefused =
      persona.denies || persona.isDisabled || call.settings.fault == .consentRefused
    let reply = isRefused ? try visit.refuse() : try visit.allow(persona)
    return .json([
      "redirect": reply.location.json, "method": "GET", "address": .string(reply.callback),
      "fields": .object(
        JSONObject(members: reply.fields.map { ($0.name, .string($0.value)) })),
    ])
  }
}
