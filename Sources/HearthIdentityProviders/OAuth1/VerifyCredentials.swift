import HearthOperations
import HearthWire

/// Whose a token is.
enum VerifyCredentials: OAuth1Operation {
  static func reply(_ call: ProviderCall) throws -> Outcome {
    let request = try SignedRequest(call, method: "GET", endpoint: .credentials, kind: .access)
    guard let grant = request.grant, let persona = try call.personas.persona(grant.persona),
      let profile = call.personality.signedProfile
    else { throw SignatureProblem.badToken }
    var object = profile(persona, TokenMint(call).claiming(grant, persona: persona))
    if call["include_email"] == "true" { object["email"] = .string(persona.email ?? "") }
    return .answer(Answer(status: 200, body: .json(object), headers: ProviderCall.uncached))
  }
}
