import HearthCrypto
import HearthErrors
import HearthIdentityProviders
import HearthOperations
import HearthSAML
import HearthTokens
import HearthWire

/// What a provider of SAML has said of somebody in a response of XML, which was verified with what the
/// project has configured of it.
struct VerifiedAssertion: Sendable {
  /// In the form that emulators take in place of XML.
  let json: JSON
  /// By which the assertion is found again: a response counts once, and a pending token later.
  let ticket: String

  static let ticketField = "saml_ticket"
  private static let lifetime: Int64 = 3600

  var claims: JSONObject { JSONObject(["sub": json["subject"]?["nameId"]]) }

  // MARK: Responses

  /// Verifies a response of XML.
  ///
  /// - Throws: `INVALID_IDP_RESPONSE` in production's words, or `OPERATION_NOT_ALLOWED` for a provider
  ///   that is not configured.
  init(
    response: String, providerId: String, visit: ProviderVisit?, in project: ProjectTransaction,
    context: Context
  ) throws(APIError) {
    let configs = IdpConfigs(in: project)
    guard let config = try configs.config(InboundSamlConfigs.self, id: providerId) else {
      throw APIError(
        .operationNotAllowed, detail: "The identity provider configuration is not found.")
    }
    try configs.requireProviderEnabled(providerId)
    let callback = config["spConfig"]?["callbackUri"]?.string.nonEmpty
    // Another tenant may know another provider by the same id.
    let isOwn = visit?.providerId == providerId && visit?.tenant == project.tenantId
    let request = isOwn ? visit?.request : nil
    let expectation = SAMLAssertion.Expectation(
      keys: Self.keys(of: config, project),
      issuer: config["idpConfig"]?["idpEntityId"]?.string ?? "",
      audience: config["spConfig"]?["spEntityId"]?.string ?? "",
      consumers: [callback, request?.consumer].compactMap(\.self), requestId: request?.id,
      now: context.now)
    let assertion: SAMLAssertion
    do throws(SAMLRefusal) {
      assertion = try SAMLAssertion(encoded: response, expectation)
    } catch {
      throw APIError(.invalidIdpResponse, detail: error.description)
    }
    json = .members([
      "subject": .members(["nameId": .string(assertion.name)]),
      "attributeStatements": assertion.attributes.isEmpty ? nil : .object(assertion.attributes),
    ])
    ticket = context.random.base64URL(40)
    try keep(of: providerId, in: project, context)
  }

  /// The keys of the configured certificates; those of the provider here where there are none.
  private static func keys(of config: JSONObject, _ project: ProjectTransaction) -> [PublicKey] {
    let texts = (config["idpConfig"]?["idpCertificates"]?.array ?? [])
      .compactMap { $0["x509Certificate"]?.string.nonEmpty }
    let known =
      texts.isEmpty
      ? project.server.providerKeys.known(of: "saml").map(\.certificatePEM)
      : texts
    return known.compactMap { PublicKey(certificate: $0) }
  }

  // MARK: Tickets

  private func keep(
    of providerId: String, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) {
    var grant = Grant(provider: providerId, persona: "", client: "", scope: "", family: ticket)
    grant.tenant = project.tenantId
    grant.note = json.text
    try Grants(in: project).keep(
      grant, as: .assertion, text: ticket, seconds: Self.lifetime, at: context.now)
  }

  /// The assertion of a pending token.
  ///
  /// - Throws: `INVALID_IDP_RESPONSE` for a ticket of another provider or tenant, and for an old one.
  init(
    ticket: String, providerId: String, in project: ProjectTransaction, context: Context
  ) throws(APIError) {
    guard
      let grant = try Grants(in: project).grant(ticket, kind: .assertion, at: context.now)?.grant,
      grant.provider == providerId, grant.tenant == project.tenantId,
      let json = grant.note.flatMap({ try? JSON.parse($0) })
    else {
      throw APIError(.invalidIdpResponse, detail: "The pending token is unknown or has expired.")
    }
    self.json = json
    self.ticket = ticket
  }
}
