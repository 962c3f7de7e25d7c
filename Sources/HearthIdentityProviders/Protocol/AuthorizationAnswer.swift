import HearthCrypto
import HearthOperations
import HearthPages
import HearthWire

/// What goes back to a client by way of the browser.
struct AuthorizationAnswer {
  let request: AuthorizationRequest
  private(set) var fields: [FormFields.Pair] = []
  /// What Facebook appends to each address, so that browsers keep no fragment of the app's.
  private var fragment = ""

  private static let githubPage =
    "https://docs.github.com/apps/managing-oauth-apps/"
    + "troubleshooting-authorization-request-errors/#access-denied"

  init(_ request: AuthorizationRequest, call: ProviderCall) {
    self.request = request
    if case .facebook = call.personality.wording { fragment = "#_=_" }
  }

  mutating func add(_ name: String, value: String?) {
    if let value = value.nonEmpty { fields.append(.init(name: name, value: value)) }
  }

  /// A refusal.
  init(_ request: AuthorizationRequest, problem: OAuthProblem, call: ProviderCall) {
    self.init(request, call: call)
    let isDenied = problem.code == .accessDenied
    let isApple = call.personality.posts && isDenied
    add("error", value: (isApple ? OAuthProblem.Code.userCancelled : problem.code).rawValue)
    switch call.personality.wording {
    case .google where isDenied: break
    case .json where isApple: break
    case .facebook where isDenied:
      add("error_code", value: "200")
      add("error_description", value: "Permissions error")
      add("error_reason", value: "user_denied")
    case .microsoft:
      let number = isDenied ? "65004" : "90015"
      add("error_description", value: "AADSTS\(number): \(problem.description)")
    case .github where isDenied:
      add("error_description", value: problem.description)
      add("error_uri", value: Self.githubPage)
    case .json, .google, .facebook, .github:
      add("error_description", value: problem.description)
    }
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
        + fragment
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
