import HearthErrors
import HearthOperations
import HearthWire

/// Makes a SAML response for a user who is signed in, in the emulator's form of one: JSON.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/issueSamlResponse
///
/// The relying party is one of the project's SAML configurations, found by its entity id.
enum IssueSamlResponse: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    /// The relying party's entity id.
    let rpId: String?

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken").nonEmpty
      rpId = wire.string("rpId").nonEmpty
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard request.idToken != nil else { throw APIError(.missingIDToken) }
    guard let relyingParty = request.rpId else {
      throw APIError(.missingSamlConfig, detail: "rpId is missing")
    }
    let user = try Sessions(in: project).userOfToken(context).user
    guard let config = try IdpConfigs(in: project).samlConfig(spEntityId: relyingParty),
      let endpoint = config["spConfig"]?["callbackUri"]?.string.nonEmpty
    else { throw APIError(.configurationNotFound) }
    let response = JSON.members([
      "assertion": .members([
        "subject": .members(["nameId": .string(user.email?.text ?? user.localId)]),
        "attributeStatements": .members([
          "email": user.email.json, "displayName": user.displayName.json,
        ]),
      ])
    ])
    let names = (user.displayName ?? "").split(separator: " ", maxSplits: 1).map(String.init)
    return .json([
      "samlResponse": .string(response.text),
      "acsEndpoint": .string(endpoint),
      "email": user.email.json,
      "firstName": names.first.json,
      "lastName": (names.count > 1 ? names[1] : nil).json,
    ])
  }
}

extension IdpConfigs {
  fileprivate func samlConfig(spEntityId: String) throws(APIError) -> JSON? {
    try page(InboundSamlConfigs.self, page: Page(size: nil, token: nil, largest: 1000))
      .first { $0.record["spConfig"]?["spEntityId"]?.string == spEntityId }?.record
  }
}
