import HearthCrypto
import HearthErrors
import HearthOperations
import HearthPages
import HearthTime
import HearthTokens
import HearthWire

/// A sign-in without a browser: `POST /emulator/v1/projects/{project}/personas/{persona}:signIn`.
///
/// With `authorizationUrl`, which a client has made for one of the providers here, the answer is the
/// redirect that the browser would have followed. With `provider`, it is a set of tokens.
enum SignInPersona: Operation {
  private static let members: Set<String> = [
    "authorizationUrl", "provider", "clientId", "nonce", "scope",
  ]

  static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    if let unknown = request.body.keys.first(where: { !members.contains($0) }) {
      let known = members.sorted()
      throw APIError(
        .invalidArgument, detail: "unknown member '\(unknown)'" + known.advice(on: unknown))
    }
    if let wrong = request.body.members.first(where: { $0.value.string == nil }) {
      throw APIError(.invalidArgument, detail: "/\(wrong.key) must be a string")
    }
    let name = request.path["persona"] ?? ""
    guard let persona = try Personas(in: project).persona(name) else {
      throw APIError(.notFound, detail: "no persona \(name)")
    }
    if let address = request.string("authorizationUrl") {
      return try redirect(persona, address: address, project: project, context: context)
    }
    return try tokens(persona, request: request, project: project, context: context)
  }

  // MARK: Redirects

  private static func redirect(
    _ persona: Persona, address: String, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard let url = WebURL(address), let place = ProviderPlace(url) else {
      throw APIError(
        .invalidArgument,
        detail: "/authorizationUrl is not an address of a provider's authorize endpoint")
    }
    let path = place.path
    guard path["targetProjectId"].map({ $0 == project.projectId }) ?? true else {
      throw APIError(.invalidArgument, detail: "/authorizationUrl is one of another project")
    }
    let wire = WireRequest(query: FormFields(parsing: url.query ?? ""), path: path)
    return try answered(wire, in: project, context: place.context(context)) { call throws in
      guard call.personality.speaksSAML == place.isOfSAML else {
        throw APIError(.invalidArgument, detail: "\(call.personality.title) has no such endpoint")
      }
      if place.isOfOAuth1 { return try TokenVisit.answered(by: persona, call) }
      if place.isOfSAML { return try SAMLVisit.answered(by: persona, call) }
      let answer = try authorize(persona, call: call)
      return .json([
        "redirect": .string(answer.location),
        "method": answer.request.mode == .formPost ? "POST" : "GET",
        "address": .string(answer.request.redirectURI),
        "fields": .object(
          JSONObject(members: answer.fields.map { ($0.name, .string($0.value)) })),
      ])
    }
  }

  private static func authorize(
    _ persona: Persona, call: ProviderCall
  ) throws -> AuthorizationAnswer {
    let request: AuthorizationRequest
    do {
      request = try AuthorizationRequest(call)
    } catch let problem as AuthorizationRequest.Unanswerable {
      throw APIError(.invalidArgument, detail: problem.reason)
    }
    if let problem = request.problem(call) {
      return AuthorizationAnswer(request, problem: problem, call: call)
    }
    if persona.denies || persona.isDisabled || call.settings.fault == .consentRefused {
      return AuthorizationAnswer(request, problem: Authorize.denied, call: call)
    }
    return try Authorize.grant(
      persona, request: request, call: call, authTime: call.context.now.seconds)
  }

  // MARK: Tokens

  private static func tokens(
    _ persona: Persona, request: WireRequest, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let named = request.string("provider") ?? "google"
    let isOidc = named.hasPrefix("oidc.")
    guard
      let personality = isOidc
        ? Personality.named("oidc") : Personality.named(named) ?? .of(providerId: named)
    else { throw APIError(.invalidArgument, detail: "/provider is not one that Hearth plays") }
    guard !personality.speaksSAML else {
      throw APIError(
        .invalidArgument, detail: "SAML has no tokens; give the /authorizationUrl of a service")
    }
    guard !persona.denies, !persona.isDisabled else {
      throw APIError(
        .invalidArgument,
        detail: persona.denies
          ? "\(persona.id) denies apps to know them" : "\(persona.id) is disabled")
    }
    let wire = WireRequest(path: ["provider": personality.name])
    return try answered(wire, in: project, context: context) { call throws in
      var grant = Grant(
        provider: personality.name, persona: persona.id,
        client: request.string("clientId") ?? "hearth-client",
        scope: request.string("scope") ?? "openid email profile",
        family: context.random.base64URL(22))
      grant.nonce = request.string("nonce").nonEmpty
      grant.authTime = context.now.seconds
      grant.isOffline = true
      if personality.speaksOAuth1 { grant.tokenSecret = context.random.alphanumeric(45) }
      let made = try Token.make(for: grant, call, withRefreshToken: true)
      return .json([
        "providerId": .string(isOidc ? named : personality.providerId ?? "oidc.hearth"),
        "idToken": made.idToken.json, "accessToken": .string(made.accessToken),
        "refreshToken": made.refreshToken.json, "tokenSecret": grant.tokenSecret.json,
      ])
    }
  }

  /// Has a provider's call answered, after its keys were made.
  private static func answered(
    _ wire: WireRequest, in project: ProjectTransaction, context: Context,
    body: @escaping @Sendable (ProviderCall) throws -> Outcome
  ) throws(APIError) -> Outcome {
    let call = try ProviderCall(wire, in: project, context: context)
    let keys = call.keys
    guard keys.currentIfReady() == nil else { return try outcome(call, body: body) }
    return .away { () async throws(APIError) -> Outcome.Resumption in
      do { _ = try await keys.current() } catch {
        throw APIError(.internalError, detail: "\(error)")
      }
      return { (project, _) throws(APIError) in
        try outcome(try ProviderCall(wire, in: project, context: context), body: body)
      }
    }
  }

  private static func outcome(
    _ call: ProviderCall, body: (ProviderCall) throws -> Outcome
  ) throws(APIError) -> Outcome {
    do {
      return try body(call)
    } catch let error as APIError {
      throw error
    } catch let problem as OAuthProblem {
      throw APIError(.invalidArgument, detail: problem.description)
    } catch {
      throw APIError(.internalError, detail: "\(error)")
    }
  }
}

/// The endpoint that the address of an authorization request names.
private struct ProviderPlace {
  /// What the route table would have captured.
  private(set) var path: [String: String] = [:]
  private let base: String
  let isOfSAML: Bool
  let isOfOAuth1: Bool

  init?(_ url: WebURL) {
    let parts = url.beforeQuery.split(separator: "/", omittingEmptySubsequences: true)
      .map(String.init)
    guard let host = parts.first else { return nil }
    base = "\(url.scheme)://\(host)"
    var rest = Array(parts.dropFirst())
    if let own = ProviderHosts.path(of: host, "/" + rest.joined(separator: "/")) {
      rest = own.split(separator: "/").map(String.init)
    }
    guard rest.first == "idp" else { return nil }
    rest.removeFirst()
    if rest.first == "projects", rest.count > 2 {
      path["targetProjectId"] = rest[1]
      rest.removeFirst(2)
    }
    guard let last = rest.last, let provider = rest.first else { return nil }
    isOfOAuth1 = rest.count == 3 && rest[1] == "oauth"
    guard ["authorize", isOfOAuth1 ? "authenticate" : "sso"].contains(last) else { return nil }
    isOfSAML = last == "sso"
    path["provider"] = provider
    if rest.count > 2, !isOfOAuth1 { path["tenant"] = rest[1] }
  }

  /// The same caller at the address of the request.
  func context(_ context: Context) -> Context { context.at(base) }
}
