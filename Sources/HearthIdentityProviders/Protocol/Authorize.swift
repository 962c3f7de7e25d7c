import HearthCrypto
import HearthErrors
import HearthOperations
import HearthPages
import HearthTime
import HearthTokens
import HearthWire

/// The page to which clients send browsers. https://openid.net/specs/openid-connect-core-1_0.html#AuthorizationEndpoint
enum Authorize: ProviderOperation {
  static var needsKeys: Bool { true }

  static func answer(_ call: ProviderCall) throws -> Outcome {
    let request: AuthorizationRequest
    do {
      request = try AuthorizationRequest(call)
    } catch let problem as AuthorizationRequest.Unanswerable {
      return page(
        ProviderPage.notice(
          call.personality.title, heading: "This request cannot be answered",
          text: problem.reason), status: 400)
    }
    if let problem = request.problem(call) { return refuse(request, problem: problem, call: call) }
    switch call.settings.fault {
    case .temporarilyUnavailable:
      return refuse(
        request,
        problem: OAuthProblem(
          .temporarilyUnavailable, description: "The provider is down, on purpose."), call: call)
    case .consentRefused: return refuse(request, problem: Self.denied, call: call)
    default: break
    }
    return try decide(request, call: call)
  }

  static let denied = OAuthProblem(
    .accessDenied, description: "The user has denied your application access.")

  static func refuse(
    _ request: AuthorizationRequest, problem: OAuthProblem, call: ProviderCall
  ) -> Outcome {
    AuthorizationAnswer(request, problem: problem, call: call).outcome(call)
  }

  /// Who is at the browser, and whether anybody has to be asked.
  private static func decide(
    _ request: AuthorizationRequest, call: ProviderCall
  ) throws -> Outcome {
    // A page of ours has been answered. Other pages cannot choose somebody.
    if let choice = call.choice, !call.context.isOfForeignPage {
      guard let persona = try call.personas.persona(choice) else {
        return refuse(request, problem: Self.denied, call: call)
      }
      if let page = secondFactor(of: persona, call, action: call.addresses[.authorize]) {
        return page
      }
      return try signIn(
        persona, request: request, call: call, authTime: call.context.now.seconds, remembers: true)
    }
    let session = try call.session()
    let isFresh =
      request.maxAge.map { age in
        (session?.authTime ?? 0) &+ age >= call.context.now.seconds
      } ?? true
    if let session, isFresh, !request.prompts.contains("login"),
      !request.prompts.contains("select_account"),
      let persona = try call.personas.persona(session.persona),
      request.loginHint.map({ $0 == persona.id || $0 == persona.email }) ?? true,
      isHinted(persona, request: request, call: call)
    {
      return try signIn(
        persona, request: request, call: call, authTime: session.authTime, remembers: false)
    }
    if request.prompts.contains("none") {
      if try call.project.switches().silentProviders, let hint = request.loginHint,
        let persona = try call.personas.persona(hint)
      {
        return try signIn(
          persona, request: request, call: call, authTime: call.context.now.seconds,
          remembers: false)
      }
      return refuse(
        request,
        problem: OAuthProblem(.loginRequired, description: "Nobody is signed in at this browser."),
        call: call)
    }
    return try loginPage(request, call: call)
  }

  /// Whether somebody is the one of the `id_token_hint`. A token that is not ours hints at nobody.
  private static func isHinted(
    _ persona: Persona, request: AuthorizationRequest, call: ProviderCall
  ) -> Bool {
    guard let text = call["id_token_hint"],
      let hint = call.project.server.providerKeys.verified(text, of: call.personality.name)
    else { return true }
    let subject = persona.ownSubject ?? call.personality.subject(persona, request.client)
    return hint.claims["sub"]?.string == subject
  }

  private static func loginPage(
    _ request: AuthorizationRequest, call: ProviderCall
  ) throws -> Outcome {
    var personas = try call.personas.all()
    if let hint = request.loginHint {
      // The one who is meant comes first.
      personas =
        personas.filter { $0.id == hint || $0.email == hint }
        + personas.filter { $0.id != hint && $0.email != hint }
    }
    return page(
      ProviderPage.login(
        call.personality.title, client: request.client, personas: personas, fields: call.fields,
        action: call.addresses[.authorize]))
  }

  /// What somebody sees whose account the provider has disabled.
  static func disabled(_ persona: Persona, _ call: ProviderCall) -> Outcome {
    page(
      ProviderPage.notice(
        call.personality.title, heading: "Account disabled",
        text: "\(persona.displayName)'s account is disabled. Nothing was sent to the app."),
      status: 403)
  }

  /// The page that asks for a code; nil where the persona has no second factor, or the code was given.
  static func secondFactor(
    of persona: Persona, _ call: ProviderCall, action: String
  ) -> Outcome? {
    guard let code = persona.secondFactor, !persona.isDisabled else { return nil }
    let given = call["factor"]
    guard given?.filter({ !$0.isWhitespace }) != code else { return nil }
    return page(
      ProviderPage.secondFactor(
        call.personality.title, persona: persona, isWrong: given != nil, fields: call.fields,
        action: action))
  }

  static func page(_ html: String, status: Int = 200) -> Outcome {
    .answer(
      Answer(
        status: status, body: .text(html, contentType: HTML.contentType),
        // Without `form-action`: browsers hold redirects after a form against it.
        headers: HTML.headersOfForms))
  }

  // MARK: Signing in

  private static func signIn(
    _ persona: Persona, request: AuthorizationRequest, call: ProviderCall, authTime: Int64,
    remembers: Bool
  ) throws -> Outcome {
    if persona.isDisabled { return disabled(persona, call) }
    if persona.denies || call["consent"] == "no" {
      return refuse(request, problem: Self.denied, call: call)
    }
    let isAsked =
      call.settings.asksConsent || request.prompts.contains("consent")
    if isAsked, call["consent"] != "yes" || call.context.isOfForeignPage,
      try request.prompts.contains("consent")
        || !call.hasConsent(of: persona, client: request.client)
    {
      if request.prompts.contains("none") {
        return refuse(
          request,
          problem: OAuthProblem(.consentRequired, description: "Nobody has allowed this yet."),
          call: call)
      }
      return page(
        ProviderPage.consent(
          call.personality.title, client: request.client, persona: persona,
          scopes: request.scope.split(separator: " ").map(String.init), fields: call.fields,
          action: call.addresses[.authorize]))
    }
    let answer = try grant(persona, request: request, call: call, authTime: authTime)
    let cookies = remembers ? [try call.remember(persona, at: authTime)] : []
    return answer.outcome(call, cookies: cookies)
  }

  /// The answer to a client that gets to know somebody.
  static func grant(
    _ persona: Persona, request: AuthorizationRequest, call: ProviderCall, authTime: Int64
  ) throws -> AuthorizationAnswer {
    let random = call.context.random
    var grant = Grant(
      provider: call.personality.name, persona: persona.id, client: request.client,
      scope: request.scope, family: random.base64URL(22))
    grant.nonce = request.nonce
    grant.redirectURI = call["redirect_uri"]
    grant.challenge = request.challenge
    grant.isPlainChallenge = request.isPlainChallenge
    grant.authTime = authTime
    grant.isOffline = request.isOffline
    grant.tenant = call.tenant
    let isFirst = try !call.hasConsent(of: persona, client: request.client)
    try call.keepConsent(of: persona, client: request.client)
    var answer = AuthorizationAnswer(request, call: call)
    let mint = TokenMint(call)
    var code: String?
    if request.responseTypes.contains("code") {
      let text = Grant.codePrefix + random.base64URL(40)
      try call.grants.keep(
        grant, as: .code, text: text, seconds: call.personality.codeLifetime,
        at: call.context.now)
      answer.add("code", value: text)
      code = text
    }
    var access: String?
    if request.responseTypes.contains("token") {
      let text = try mint.accessToken(grant)
      answer.add("access_token", value: text)
      answer.add("token_type", value: "Bearer")
      answer.add("expires_in", value: call.personality.accessTokenLifetime.map { String($0) })
      access = text
    }
    if request.responseTypes.contains("id_token") {
      answer.add(
        "id_token",
        value: try mint.idToken(grant, persona: persona, accessToken: access, code: code))
    }
    answer.add("graph_domain", value: request.graphDomain)
    answer.add("state", value: request.state)
    if call.personality.name == "google" {
      answer.add("scope", value: request.scope)
      answer.add("authuser", value: "0")
      answer.add("prompt", value: call["prompt"] ?? "none")
    }
    if call.personality.posts, isFirst, request.asks("name") {
      answer.add("user", value: call.appleUser(persona).text)
    }
    if call.personality.name == "oidc" { answer.add("iss", value: call.addresses.issuer) }
    return answer
  }
}

extension ProviderCall {
  /// What Apple sends once.
  fileprivate func appleUser(_ persona: Persona) -> JSON {
    .members([
      "name": .members([
        "firstName": .string(persona.givenName), "lastName": .string(persona.familyName),
      ]),
      "email": persona.hidesEmail
        ? .string(Personality.relay(of: persona)) : persona.email.json,
    ])
  }
}
