import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// Whether a token counts, and for whom: RFC 7662.
enum Introspect: ProviderOperation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    if call.personality.name == "facebook" { return try DebugToken.answer(call) }
    _ = try ClientProof(call)
    guard let text = call["token"] else {
      throw OAuthProblem(.invalidRequest, description: "token is missing")
    }
    for kind in [Grant.Kind.access, .refresh] {
      guard let found = try call.grants.grant(text, kind: kind, at: call.context.now),
        found.grant.provider == call.personality.name, !found.grant.isUsed
      else { continue }
      let persona = try call.personas.persona(found.grant.persona)
      return call.answer(
        JSONObject([
          "active": true, "client_id": .string(found.grant.client),
          "scope": .string(found.grant.scope), "exp": .int(found.expires),
          "iss": .string(call.addresses.issuer),
          "token_type": kind == .access ? "Bearer" : "refresh_token",
          "sub": persona.map {
            .string(TokenMint(call).claiming(found.grant, persona: $0).subject)
          }, "username": persona.map { .string($0.email ?? $0.id) },
        ]))
    }
    return call.answer(JSONObject(["active": false]))
  }
}

/// Facebook's form of it.
private enum DebugToken {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    guard let text = call["input_token"] else {
      throw OAuthProblem(.invalidRequest, description: "input_token is missing")
    }
    guard let found = try call.grants.grant(text, kind: .access, at: call.context.now),
      let persona = try call.personas.persona(found.grant.persona)
    else {
      return call.answer(
        JSONObject([
          "data": .members([
            "is_valid": false, "scopes": [],
            "error": ["code": 190, "message": "Invalid OAuth access token."],
          ])
        ]))
    }
    let scopes = found.grant.scopes.sorted()
    let lifetime = call.personality.accessTokenLifetime ?? 0
    return call.answer(
      JSONObject([
        "data": .members([
          "app_id": .string(found.grant.client), "type": "USER", "application": "Hearth",
          "data_access_expires_at": .int(found.expires), "expires_at": .int(found.expires),
          "issued_at": .int(found.expires - lifetime), "is_valid": true,
          "scopes": .strings(scopes),
          "granular_scopes": .array(scopes.map { .members(["scope": .string($0)]) }),
          "user_id": .string(TokenMint(call).claiming(found.grant, persona: persona).subject),
        ])
      ]))
  }
}

/// Takes a token back, and all that came of the same authorization: RFC 7009.
enum Revoke: ProviderOperation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    // Google and a client without a secret bring the token alone.
    let needsProof = call.personality.takesSignedSecrets || !call.settings.clients.isEmpty
    let client = needsProof ? try ClientProof(call).client : nil
    guard let text = call["token"] else {
      throw OAuthProblem(.invalidRequest, description: "token is missing")
    }
    for kind in [Grant.Kind.access, .refresh] {
      guard let found = try call.grants.grant(text, kind: kind, at: call.context.now),
        found.grant.provider == call.personality.name
      else { continue }
      guard client == nil || client == found.grant.client else {
        throw OAuthProblem(.invalidGrant, description: "The token is another client's.")
      }
      try call.revoke(found.grant)
      return .answer(Answer(status: 200, body: .empty, headers: ProviderCall.uncached))
    }
    if call.personality.name == "google" {
      return .answer(
        Answer(
          status: 400,
          body: .json(
            JSONObject([
              "error": "invalid_token", "error_description": "Token expired or revoked",
            ])), headers: ProviderCall.uncached))
    }
    // An unknown token is as good as one that was taken back.
    return .answer(Answer(status: 200, body: .empty, headers: ProviderCall.uncached))
  }
}

extension ProviderCall {
  /// Takes back what came of an authorization. The client asks for consent again, and Apple tells the
  /// name again.
  func revoke(_ grant: Grant) throws(APIError) {
    if personality.revokesAuthorizations {
      try grants.forgetAll(of: grant)
    } else {
      try grants.forget(family: grant.family)
    }
    try forgetConsent(of: grant.persona, client: grant.client)
  }
}

/// Google's `tokeninfo`: what a token says, all of it as text.
enum TokenInfo: ProviderOperation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    if let text = call["id_token"] {
      guard
        let jwt = call.project.server.providerKeys.verified(text, of: call.personality.name),
        let expires = jwt.claims["exp"]?.integer, expires > call.context.now.seconds
      else { return invalid }
      var members = JSONObject()
      for (name, value) in jwt.claims.members + jwt.header.members {
        members[name] = .string(value.string ?? value.text)
      }
      return call.answer(members)
    }
    guard let text = call["access_token"],
      let found = try call.grants.grant(text, kind: .access, at: call.context.now),
      let persona = try call.personas.persona(found.grant.persona)
    else { return invalid }
    let grant = found.grant
    return call.answer(
      JSONObject([
        "azp": .string(grant.client), "aud": .string(grant.client),
        "sub": .string(TokenMint(call).claiming(grant, persona: persona).subject),
        "scope": .string(grant.scope), "exp": .string(String(found.expires)),
        "expires_in": .string(String(found.expires - call.context.now.seconds)),
        "email": persona.email.json,
        "email_verified": .string(persona.isEmailVerified ? "true" : "false"),
        "access_type": grant.isOffline ? "offline" : "online",
      ]))
  }

  private static var invalid: Outcome {
    .answer(
      Answer(
        status: 400,
        body: .json(
          JSONObject(["error": "invalid_token", "error_description": "Invalid Value"])),
        headers: ProviderCall.uncached))
  }
}
