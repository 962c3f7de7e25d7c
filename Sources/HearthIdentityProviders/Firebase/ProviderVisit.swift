import HearthCrypto
package import HearthErrors
package import HearthOperations
import HearthSAML
import HearthTime
import HearthWire

/// A sign-in that Firebase sends to the page of a provider here, from `createAuthUri` to
/// `signInWithIdp`. What it has to know then is kept under the `state` of the request.
package struct ProviderVisit: Sendable {
  package let providerId: String
  package let sessionId: String
  /// What the nonce of the request is the hash of; nil for a request without one.
  package let rawNonce: String?
  package let context: String?
  /// The tenant in which it was begun.
  package private(set) var tenant: String?
  /// Of SAML: the request that the provider's answer has to be one to.
  package private(set) var request: Request?

  /// The id of a request, and where its answer was to go.
  package struct Request: Sendable {
    package let id: String
    package let consumer: String
  }

  private static let lifetime: Int64 = 3600

  package init(
    providerId: String, sessionId: String, rawNonce: String? = nil, context: String?
  ) {
    self.providerId = providerId
    self.sessionId = sessionId
    self.rawNonce = rawNonce
    self.context = context
  }

  /// What a client asks the provider for.
  package struct Wish: Sendable {
    package let clientId: String
    package let redirectURI: String
    package let scopes: [String]
    package let parameters: [(name: String, value: String)]

    package init(
      clientId: String, redirectURI: String, scopes: [String],
      parameters: [(name: String, value: String)]
    ) {
      self.clientId = clientId
      self.redirectURI = redirectURI
      self.scopes = scopes
      self.parameters = parameters
    }
  }

  /// The address of the provider's page; nil for a provider that nobody plays here.
  package func begin(
    _ wish: Wish, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> String? {
    let isOidc = providerId.hasPrefix("oidc.")
    guard let personality = isOidc ? .named("oidc") : Personality.of(providerId: providerId) else {
      return nil
    }
    let state = try keep(as: personality.name, client: wish.clientId, in: project, context)
    let host = ProviderHosts.rows.first {
      $0.provider == personality.name && $0.endpoint == .authorize
    }?.host
    let isPlayedHost = project.server.google != nil && host != nil
    let addresses = ProviderAddresses(
      personality, base: isPlayedHost ? "https://\(host ?? "")" : context.baseURL,
      project: project.projectId == project.server.defaultProject ? nil : project.projectId,
      tenant: nil)
    if personality.speaksOAuth1 {
      let callback = wish.redirectURI + (wish.redirectURI.contains("?") ? "&" : "?")
      let token = try RequestToken.make(
        client: wish.clientId,
        callback: callback + FormFields([.init(name: "state", value: state)]).text,
        provider: personality.name, in: Grants(in: project), context
      ).token
      let query =
        [FormFields.Pair(name: "oauth_token", value: token)]
        + wish.parameters.map { FormFields.Pair(name: $0.name, value: $0.value) }
      return addresses[.authenticateToken] + "?" + FormFields(query).text
    }
    let query = query(wish, personality: personality, state: state, isOidc: isOidc)
    return addresses[.authorize] + "?" + FormFields(query).text
  }

  /// Keeps the visit under a new state.
  private func keep(
    as provider: String, client: String, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> String {
    let state = "AMbdmD" + context.random.base64URL(40)
    var grant = Grant(provider: provider, persona: "", client: client, scope: "", family: state)
    grant.tenant = project.tenantId
    grant.note =
      JSON.members([
        "providerId": .string(providerId), "sessionId": .string(sessionId),
        "nonce": rawNonce.json, "context": self.context.json,
        "request": (request?.id).json, "consumer": (request?.consumer).json,
      ]).text
    try Grants(in: project).keep(
      grant, as: .state, text: state, seconds: Self.lifetime, at: context.now)
    return state
  }

  private func query(
    _ wish: Wish, personality: Personality, state: String, isOidc: Bool
  ) -> [FormFields.Pair] {
    let isCode = rawNonce == nil
    var query = [
      FormFields.Pair(name: "response_type", value: isCode ? "code" : "id_token"),
      FormFields.Pair(name: "client_id", value: wish.clientId),
      FormFields.Pair(name: "redirect_uri", value: wish.redirectURI),
      FormFields.Pair(name: "state", value: state),
    ]
    let own: [String] =
      switch personality.name {
      case "apple": ["email", "name"]
      case "github": ["user:email"]
      case "facebook": ["email", "public_profile"]
      default: ["openid", "email", "profile"]
      }
    let scopes = own + wish.scopes.filter { !own.contains($0) }
    query.append(.init(name: "scope", value: scopes.joined(separator: " ")))
    if personality.posts { query.append(.init(name: "response_mode", value: "form_post")) }
    if let rawNonce {
      let hash = Digest.sha256.hash(Array(rawNonce.utf8)).hexDigits
      query.append(.init(name: "nonce", value: String(decoding: hash, as: UTF8.self)))
    }
    for parameter in wish.parameters where !query.contains(where: { $0.name == parameter.name }) {
      query.append(.init(name: parameter.name, value: parameter.value))
    }
    return query
  }

  /// The visit that a provider's answer ends; nil for a state that is not ours. It counts once.
  package static func end(
    state: String, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> ProviderVisit? {
    guard let grant = try Grants(in: project).grant(state, kind: .state, at: context.now)?.grant,
      let note = grant.note.flatMap({ try? JSON.parse($0) })
    else { return nil }
    var visit = ProviderVisit(
      providerId: note["providerId"]?.string ?? "", sessionId: note["sessionId"]?.string ?? "",
      rawNonce: note["nonce"]?.string, context: note["context"]?.string)
    visit.tenant = grant.tenant
    if let id = note["request"]?.string {
      visit.request = Request(id: id, consumer: note["consumer"]?.string ?? "")
    }
    return visit
  }

  // MARK: SAML

  /// The address at which a provider of SAML is asked, wherever it is. The project is known there by
  /// the entity id `service`, and the answer is to go to `consumer`.
  package func begin(
    at provider: String, service: String, consumer: String, in project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> String {
    let request = SAMLRequest(
      id: SAMLRequest.newId(context.random), issuer: service, destination: provider,
      consumer: consumer)
    var visit = self
    visit.request = Request(id: request.id, consumer: consumer)
    let state = try visit.keep(as: "saml", client: service, in: project, context)
    return request.address(at: provider, relayState: state, now: context.now)
  }

  /// Forgets the request of a visit, so that no second answer to it is taken.
  package static func answered(
    state: String, in project: ProjectTransaction
  ) throws(APIError) {
    try Grants(in: project).forget(state, kind: .state)
  }
}
