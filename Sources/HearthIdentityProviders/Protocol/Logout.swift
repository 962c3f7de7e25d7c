import HearthErrors
import HearthOperations
import HearthPages
import HearthTokens
import HearthWire

/// Ends a browser's session: OpenID Connect RP-Initiated Logout 1.0.
enum Logout: ProviderOperation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    let cookie = try call.forgetSession()
    let hint = call["id_token_hint"]
    let jwt = hint.flatMap {
      call.project.server.providerKeys.verified($0, of: call.personality.name)
    }
    if hint != nil, jwt == nil {
      throw OAuthProblem(
        .invalidRequest, description: "id_token_hint is not a token of this provider")
    }
    guard let address = call["post_logout_redirect_uri"], HTML.linkTarget(address) != nil,
      WebURL(address)?.fragment == nil
    else {
      let page = ProviderPage.notice(
        call.personality.title, heading: "Signed out", text: "This browser is forgotten.")
      return .answer(
        Answer(
          status: 200, body: .text(page, contentType: HTML.contentType),
          headers: HTML.headersOfStillPages + [("Set-Cookie", cookie)]))
    }
    let state = call["state"].map {
      (address.contains("?") ? "&" : "?") + FormFields([.init(name: "state", value: $0)]).text
    }
    return .answer(
      Answer(
        status: 302, body: .empty,
        headers: ProviderCall.uncached + [
          ("Location", address + (state ?? "")), ("Set-Cookie", cookie),
        ]))
  }
}
