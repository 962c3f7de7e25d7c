import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire

/// Whose an access token is: https://openid.net/specs/openid-connect-core-1_0.html#UserInfo
enum UserInfo: ProviderOperation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    let known = try call.holder()
    return .answer(
      Answer(
        status: 200, body: .json(known.userInfo(call)), headers: ProviderCall.uncached))
  }
}

/// The provider's own profile of somebody.
enum Profile: ProviderOperation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    let known = try call.holder()
    var profile = known.profile(call)
    if case .facebook = call.personality.wording {
      try checkProof(of: known.grant, call)
      profile = fields(of: profile, wanted: call["fields"])
    }
    return .answer(
      Answer(status: 200, body: .json(profile), headers: ProviderCall.uncached))
  }

  /// Graph tells what it is asked for, and otherwise the name. A field may have its own fields, as in
  /// `picture.width(50)`.
  private static func fields(of profile: JSONObject, wanted: String?) -> JSONObject {
    let names = (wanted ?? "id,name").split(separator: ",").map { name in
      name.prefix { $0 != "." && $0 != "{" }.filter { $0 != " " }
    }
    return JSONObject(
      members: profile.members.filter { $0.key == "id" || names.contains($0.key) })
  }

  /// A client may prove that it knows its secret.
  private static func checkProof(of grant: Grant, _ call: ProviderCall) throws {
    guard let proof = call["appsecret_proof"], let token = call.bearer,
      let secret = call.settings.clients.first(where: { $0.id == grant.client })?.secret
    else { return }
    let mac = Digest.sha256.hmac(Array(token.utf8), key: Array(secret.utf8))
    guard ConstantTime.equal(proof.lowercased(), String(decoding: mac.hexDigits, as: UTF8.self))
    else {
      throw OAuthProblem(
        .invalidProof, description: "Invalid appsecret_proof provided in the API argument")
    }
  }
}

/// The addresses of somebody at GitHub.
enum ProfileEmails: ProviderOperation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    let known = try call.holder()
    guard !known.grant.scopes.isDisjoint(with: ["user:email", "user"]) else {
      return call.githubRefusal(404, message: "Not Found")
    }
    let emails = known.persona.email.map { email in
      JSON.members([
        "email": .string(email), "primary": true, "verified": .bool(known.persona.isEmailVerified),
        "visibility": known.persona.hidesEmail ? .null : "public",
      ])
    }
    let list = JSON.array(emails.map { [$0] } ?? [])
    return .answer(
      Answer(
        status: 200, body: .text(list.text, contentType: "application/json; charset=utf-8"),
        headers: ProviderCall.uncached))
  }
}

/// Somebody whose access token was shown.
struct TokenHolder {
  let grant: Grant
  let persona: Persona
  let expires: Int64

  func userInfo(_ call: ProviderCall) -> JSONObject {
    let claiming = TokenMint(call).claiming(grant, persona: persona)
    var object = JSONObject(["sub": .string(claiming.subject)])
    object.merge(persona.claims(for: claiming))
    return object
  }

  func profile(_ call: ProviderCall) -> JSONObject {
    guard let profile = call.personality.profile else { return userInfo(call) }
    return profile(persona, TokenMint(call).claiming(grant, persona: persona))
  }
}

extension ProviderCall {
  /// Whose the access token of the call is.
  ///
  /// - Throws: ``OAuthProblem`` for no token, or one that does not count.
  func holder() throws -> TokenHolder {
    guard let text = bearer else {
      throw OAuthProblem(.invalidToken, description: "The request has no access token.")
    }
    guard let found = try grants.grant(text, kind: .access, at: context.now),
      found.grant.provider == personality.name, !found.grant.isOfOAuth1,
      let persona = try personas.persona(found.grant.persona)
    else {
      throw OAuthProblem(.invalidToken, description: "The access token is unknown or has expired.")
    }
    return TokenHolder(grant: found.grant, persona: persona, expires: found.expires)
  }
}
