import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Codes for a device without a browser: RFC 8628.
enum DeviceAuthorization: ProviderOperation {
  private static let lifetime: Int64 = 900
  /// Without letters that make words, or that look like another.
  private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)

  static func answer(_ call: ProviderCall) throws -> Outcome {
    guard let client = call["client_id"] else {
      throw OAuthProblem(.invalidRequest, description: "client_id is missing")
    }
    let random = call.context.random
    let device = "d." + random.base64URL(40)
    let letters = random.text(8, of: alphabet)
    let user = "\(letters.prefix(4))-\(letters.suffix(4))"
    var grant = Grant(
      provider: call.personality.name, persona: "", client: client, scope: call["scope"] ?? "",
      family: random.base64URL(22))
    grant.note = device
    try call.grants.keep(
      grant, as: .userCode, text: user, seconds: lifetime, at: call.context.now)
    try call.grants.keep(
      grant, as: .device, text: device, seconds: lifetime, at: call.context.now)
    let page = call.addresses[.activate]
    return call.answer(
      JSONObject([
        "device_code": .string(device), "user_code": .string(user),
        "verification_uri": .string(page),
        "verification_url": call.personality.name == "google" ? .string(page) : nil,
        "verification_uri_complete": .string("\(page)?user_code=\(user)"),
        "expires_in": .int(lifetime), "interval": 5,
      ]))
  }

  /// What the token endpoint answers a device that asks.
  static func redeem(_ call: ProviderCall, client: String) throws -> Outcome {
    guard let text = call["device_code"],
      let grant = try call.grants.grant(text, kind: .device, at: call.context.now)?.grant,
      grant.provider == call.personality.name, grant.client == client
    else {
      throw OAuthProblem(.expiredToken, description: "The device code is unknown or has expired.")
    }
    if grant.isUsed { throw Authorize.denied }
    guard !grant.persona.isEmpty else {
      throw OAuthProblem(.authorizationPending, description: "Nobody has typed the code yet.")
    }
    try call.grants.forget(text, kind: .device)
    return try Token.tokens(for: grant, call, withRefreshToken: true)
  }
}

/// The page where somebody types a device's code.
enum ActivateDevice: ProviderOperation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    let title = call.personality.title
    let isAnswer = call.fields.contains { $0.name == "persona" } && !call.context.isOfForeignPage
    guard isAnswer else {
      return Authorize.page(
        ProviderPage.activate(
          title, code: call["user_code"] ?? "", personas: try call.personas.all(),
          action: call.addresses[.activate]))
    }
    let code = (call["user_code"] ?? "").uppercased()
    guard let found = try call.grants.grant(code, kind: .userCode, at: call.context.now),
      let device = found.grant.note
    else {
      return Authorize.page(
        ProviderPage.notice(title, heading: "Unknown code", text: "No device waits with it."),
        status: 400)
    }
    let persona = try call["persona"].flatMap { try call.personas.persona($0) }
    if let persona,
      let page = Authorize.secondFactor(of: persona, call, action: call.addresses[.activate])
    {
      return page
    }
    try call.grants.forget(code, kind: .userCode)
    var grant = found.grant
    grant.authTime = call.context.now.seconds
    if let persona, !persona.denies, !persona.isDisabled {
      grant.persona = persona.id
    } else {
      grant.isUsed = true
    }
    try call.grants.keep(
      grant, as: .device, text: device, seconds: found.expires - call.context.now.seconds,
      at: call.context.now)
    return Authorize.page(
      ProviderPage.notice(
        title, heading: grant.isUsed ? "Refused" : "Connected",
        text: "The device hears of it when it asks again."))
  }
}
