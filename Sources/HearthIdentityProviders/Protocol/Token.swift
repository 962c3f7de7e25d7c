import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire

/// Tokens for a code, a refresh token, a device, or a client itself.
/// https://www.rfc-editor.org/rfc/rfc6749#section-3.2
enum Token: ProviderOperation {
  static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

  static var needsKeys: Bool { true }

  static func answer(_ call: ProviderCall) throws -> Outcome {
    if call.settings.fault == .temporarilyUnavailable {
      throw OAuthProblem(.temporarilyUnavailable, description: "The provider is down, on purpose.")
    }
    let proof = try ClientProof(call)
    switch call["grant_type"] ?? call.personality.standardGrantType ?? "" {
    case "authorization_code": return try redeem(call, client: proof.client)
    case "refresh_token": return try refresh(call, client: proof.client)
    case "client_credentials": return try grantToClient(call, client: proof.client)
    case deviceGrant: return try DeviceAuthorization.redeem(call, client: proof.client)
    case "": throw OAuthProblem(.invalidRequest, description: "grant_type is missing")
    default:
      throw OAuthProblem(.unsupportedGrantType, description: "This grant_type is not supported.")
    }
  }

  // MARK: Codes

  private static func redeem(_ call: ProviderCall, client: String) throws -> Outcome {
    guard let text = call["code"] else {
      throw OAuthProblem(.invalidRequest, description: "code is missing")
    }
    let grant = try grant(ofCode: text, call, client: client)
    try checkAddress(grant, call)
    try checkChallenge(grant, verifier: call["code_verifier"], call: call)
    return try tokens(for: grant, call, withRefreshToken: true)
  }

  /// As the answer has it; nil where it has none.
  private static func scope(of grant: Grant, _ call: ProviderCall) -> String? {
    switch call.personality.wording {
    case .facebook: nil
    case .github: grant.scope.replacing(" ", with: ",")
    case .json, .google, .microsoft: grant.scope.isEmpty ? nil : grant.scope
    }
  }

  private static func checkAddress(_ grant: Grant, _ call: ProviderCall) throws {
    let given = call["redirect_uri"]
    guard grant.redirectURI != given, given != nil || !call.personality.redeemsWithoutAddress else {
      return
    }
    let isGitHub = call.personality.name == "github"
    throw OAuthProblem(
      isGitHub ? .redirectURIMismatch : .invalidGrant,
      description: "redirect_uri is not the one of the authorization request")
  }

  /// A code counts once. Who brings it again may have stolen it: all that came of it is taken back.
  static func grant(
    ofCode text: String, _ call: ProviderCall, client: String?
  ) throws -> Grant {
    guard let grant = try call.grants.grant(text, kind: .code, at: call.context.now)?.grant,
      grant.provider == call.personality.name
    else { throw OAuthProblem(.invalidGrant, description: "The code is unknown or has expired.") }
    if grant.isUsed {
      try call.grants.forget(family: grant.family)
      throw OAuthProblem(.invalidGrant, description: "The code was used before.")
    }
    if let client, client != grant.client {
      throw OAuthProblem(.invalidGrant, description: "The code is another client's.")
    }
    try call.grants.markUsed(text, kind: .code, grant: grant)
    return grant
  }

  private static func checkChallenge(
    _ grant: Grant, verifier: String?, call: ProviderCall
  ) throws {
    guard let challenge = grant.challenge else {
      if verifier != nil {
        throw OAuthProblem(
          .invalidGrant, description: "The authorization request had no code_challenge.")
      }
      let known = call.settings.clients.first { $0.id == grant.client }
      if let known, known.secret == nil {
        throw OAuthProblem(.invalidGrant, description: "A client without a secret needs PKCE.")
      }
      return
    }
    guard let verifier else {
      throw OAuthProblem(.invalidGrant, description: "code_verifier is missing")
    }
    let derived =
      grant.isPlainChallenge
      ? verifier : Base64.encodeURL(Digest.sha256.hash(Array(verifier.utf8)))
    guard ConstantTime.equal(derived, challenge) else {
      throw OAuthProblem(
        .invalidGrant, description: "code_verifier does not fit the code_challenge")
    }
  }

  // MARK: Refresh tokens

  private static func refresh(_ call: ProviderCall, client: String) throws -> Outcome {
    guard let text = call["refresh_token"] else {
      throw OAuthProblem(.invalidRequest, description: "refresh_token is missing")
    }
    guard var grant = try call.grants.grant(text, kind: .refresh, at: call.context.now)?.grant,
      grant.provider == call.personality.name, grant.client == client
    else {
      throw OAuthProblem(
        .invalidGrant, description: "The refresh token is unknown or was taken back.")
    }
    if grant.isUsed {
      try call.grants.forget(family: grant.family)
      throw OAuthProblem(.invalidGrant, description: "The refresh token was used before.")
    }
    if let scope = call["scope"] {
      let wanted = Set(scope.split(separator: " ").map(String.init))
      guard wanted.isSubset(of: grant.scopes) else {
        throw OAuthProblem(.invalidScope, description: "The scope is more than was granted.")
      }
    }
    // A nonce belongs to the first token.
    grant.nonce = nil
    let rotates: Bool
    switch call.personality.refreshing {
    case .rotates:
      rotates = true
      try call.grants.markUsed(text, kind: .refresh, grant: grant)
    case .stays, .staysWhereOffline, .never: rotates = false
    }
    return try tokens(for: grant, call, withRefreshToken: rotates)
  }

  // MARK: Clients themselves

  private static func grantToClient(_ call: ProviderCall, client: String) throws -> Outcome {
    let grant = Grant(
      provider: call.personality.name, persona: "", client: client, scope: call["scope"] ?? "",
      family: call.context.random.base64URL(22))
    let token = try TokenMint(call).accessToken(grant)
    return call.answer(
      JSONObject([
        "access_token": .string(token), "token_type": "Bearer",
        "expires_in": call.personality.accessTokenLifetime.map(JSON.int),
        "scope": call["scope"].json,
      ]))
  }

  // MARK: The answer

  /// What came of a grant, for a client or for Firebase.
  struct Made {
    let accessToken: String
    let refreshToken: String?
    let idToken: String?
    let persona: Persona
  }

  static func make(
    for grant: Grant, _ call: ProviderCall, withRefreshToken: Bool
  ) throws -> Made {
    guard let persona = try call.personas.persona(grant.persona), !persona.isDisabled else {
      throw OAuthProblem(
        .invalidGrant, description: "The person is gone, or their account is disabled.")
    }
    let mint = TokenMint(call)
    let access = try mint.accessToken(grant)
    let hasRefresh =
      switch call.personality.refreshing {
      case .rotates, .stays: true
      case .staysWhereOffline: grant.isOffline
      case .never: false
      }
    let isOpenID =
      call.personality.speaksOpenID && (call.personality.posts || grant.scopes.contains("openid"))
    return Made(
      accessToken: access,
      refreshToken: hasRefresh && withRefreshToken ? try mint.refreshToken(grant) : nil,
      idToken: isOpenID ? try mint.idToken(grant, persona: persona, accessToken: access) : nil,
      persona: persona)
  }

  static func tokens(
    for grant: Grant, _ call: ProviderCall, withRefreshToken: Bool
  ) throws -> Outcome {
    let made = try make(for: grant, call, withRefreshToken: withRefreshToken)
    var lifetime = call.personality.accessTokenLifetime
    if call.personality.name == "google" { lifetime = lifetime.map { $0 - 1 } }
    var members = JSONObject([
      "access_token": .string(made.accessToken),
      "token_type": .string(call.personality.tokenType),
      "expires_in": lifetime.map(JSON.int),
      "scope": scope(of: grant, call).json,
      "refresh_token": made.refreshToken.json, "id_token": made.idToken.json,
    ])
    if case .microsoft = call.personality.wording, let lifetime {
      members["ext_expires_in"] = .int(lifetime)
    }
    return call.answer(members)
  }
}
