import HearthErrors
import HearthOperations
import HearthPages
import HearthSAML
import HearthTime
import HearthWire

/// The page to which services of SAML send browsers, by redirect or by post:
/// https://docs.oasis-open.org/security/saml/v2.0/saml-profiles-2.0-os.pdf
///
/// A sign-in needs the request of a service: a call without one is refused.
enum SingleSignOn: ProviderOperation {
  static var needsKeys: Bool { true }
  static var speaksSAML: Bool { true }

  static func answer(_ call: ProviderCall) throws -> Outcome {
    let visit: SAMLVisit
    do {
      visit = try SAMLVisit(call)
    } catch let refusal as SAMLRefusal {
      return unanswerable(refusal.description, call)
    } catch let problem as AuthorizationRequest.Unanswerable {
      return unanswerable(problem.reason, call)
    }
    if let refusal = visit.refusalOnPurpose { return try refuse(refusal, visit, call) }
    return try decide(visit, call)
  }

  private static func unanswerable(_ reason: String, _ call: ProviderCall) -> Outcome {
    Authorize.page(
      ProviderPage.notice(
        call.personality.title, heading: "This request cannot be answered", text: reason),
      status: 400)
  }

  private static func refuse(
    _ refusal: SAMLVisit.Refusal, _ visit: SAMLVisit, _ call: ProviderCall
  ) throws -> Outcome {
    try visit.refused(refusal, call).outcome(call)
  }

  /// Who is at the browser, and whether anybody has to be asked.
  private static func decide(_ visit: SAMLVisit, _ call: ProviderCall) throws -> Outcome {
    // A page of ours has been answered. Other pages cannot choose somebody.
    if let choice = call.choice, !call.context.isOfForeignPage {
      guard let persona = try call.personas.persona(choice) else {
        return try refuse(.denied, visit, call)
      }
      if let page = Authorize.secondFactor(of: persona, call, action: call.addresses[.sso]) {
        return page
      }
      return try signIn(persona, visit, call, authTime: call.context.now.seconds, remembers: true)
    }
    if !visit.request.isForced, let session = try call.session(),
      let persona = try call.personas.persona(session.persona)
    {
      return try signIn(persona, visit, call, authTime: session.authTime, remembers: false)
    }
    if visit.request.isPassive { return try refuse(.noPassive, visit, call) }
    return Authorize.page(
      ProviderPage.login(
        call.personality.title, client: visit.request.issuer, personas: try call.personas.all(),
        fields: call.fields, action: call.addresses[.sso]))
  }

  private static func signIn(
    _ persona: Persona, _ visit: SAMLVisit, _ call: ProviderCall, authTime: Int64, remembers: Bool
  ) throws -> Outcome {
    let client = visit.request.issuer
    if persona.isDisabled { return Authorize.disabled(persona, call) }
    if persona.denies || call["consent"] == "no" { return try refuse(.denied, visit, call) }
    if call.settings.asksConsent, call["consent"] != "yes" || call.context.isOfForeignPage,
      try !call.hasConsent(of: persona, client: client)
    {
      if visit.request.isPassive { return try refuse(.noPassive, visit, call) }
      return Authorize.page(
        ProviderPage.consent(
          call.personality.title, client: client, persona: persona,
          scopes: visit.attributes(of: persona).map(\.name), fields: call.fields,
          action: call.addresses[.sso]))
    }
    try call.keepConsent(of: persona, client: client)
    let answer = try visit.signedIn(persona, call, authTime: authTime)
    let cookies = remembers ? [try call.remember(persona, at: authTime)] : []
    return answer.outcome(call, cookies: cookies)
  }
}
