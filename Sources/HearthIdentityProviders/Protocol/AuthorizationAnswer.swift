import HearthCrypto
import HearthOperations
import HearthPages
import HearthWire

/// What goes back to a client by way of the browser.
struct AuthorizationAnswer {
  let request: AuthorizationRequest
  private(set) var fields: [FormFields.Pair] = []

  init(_ request: AuthorizationRequest) { self.request = request }

  mutating func add(_ name: String, value: String?) {
    if let value = value.nonEmpty { fields.append(.init(name: name, value: value)) }
  }

  /// A refusal.
  init(_ request: AuthorizationRequest, problem: OAuthProblem, call: ProviderCall) {
    self.request = request
    let isApple = call.personality.posts && problem.code == .accessDenied
    add("error", value: (isApple ? OAuthProblem.Code.userCancelled : problem.code).rawValue)
    if !isApple { add("error_description", value: problem.description) }
    add("state", value: request.state)
    if call.personality.name == "oidc" { add("iss", value: call.addresses.issuer) }
  }

  /// The address with the answer in its query or fragment.
  var location: String {
    let text = FormFields(fields).text
    switch request.mode {
    case .fragment: return "\(request.redirectURI)#\(text)"
    case .query, .formPost:
      return request.redirectURI + (request.redirectURI.contains("?") ? "&" : "?") + text
    }
  }

  func outcome(_ call: ProviderCall, cookies: [String] = []) -> Outcome {
    var headers = cookies.map { (name: "Set-Cookie", value: $0) }
    guard case .formPost = request.mode else {
      headers += ProviderCall.uncached + [("Location", location)]
      return .answer(Answer(status: 302, body: .empty, headers: headers))
    }
    return Self.post(fields, to: request.redirectURI, call, cookies: cookies)
  }

  /// A page that sends a form by itself.
  static func post(
    _ fields: [FormFields.Pair], to address: String, _ call: ProviderCall, cookies: [String] = []
  ) -> Outcome {
    let nonce = call.context.random.base64URL(22)
    let page = ProviderPage.post(fields, to: address, nonce: nonce)
    let headers =
      cookies.map { (name: "Set-Cookie", value: $0) }
      + HTML.headers(
        policy: "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'unsafe-inline'; "
          + "img-src data:; base-uri 'none'; frame-ancestors 'none'", referrer: "origin")
    return .answer(
      Answer(status: 200, body: .text(page, contentType: HTML.contentType), headers: headers))
  }
}
