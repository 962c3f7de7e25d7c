import HearthOperations
import HearthPages
import HearthWire

/// What a client asks for when it sends a browser to the provider.
struct AuthorizationRequest {
  enum ResponseMode: String {
    case query, fragment
    case formPost = "form_post"
  }

  let client: String
  let redirectURI: String
  let responseTypes: Set<String>
  let mode: ResponseMode
  let state: String?
  let nonce: String?
  let scope: String
  let prompts: Set<String>
  let loginHint: String?
  let maxAge: Int64?
  let challenge: String?
  let isPlainChallenge: Bool
  let isOffline: Bool
  /// What Facebook's clients want to be told beside a token.
  let graphDomain: String?

  /// Why a request is refused on a page: nobody may be sent to the address in it.
  struct Unanswerable: Error {
    let reason: String
  }

  /// Whether a browser may be sent to an address with an answer.
  static func isAddress(_ text: String) -> Bool {
    guard text.utf8.count <= 4096, let url = WebURL(text) else { return false }
    return url.fragment == nil && HTML.linkTarget(text) != nil
  }

  static let responseTypesKnown: Set<String> = ["code", "id_token", "token"]

  /// - Throws: ``Unanswerable``, where the client or its address is wrong.
  init(_ call: ProviderCall) throws {
    guard let client = call["client_id"] else {
      throw Unanswerable(reason: "The request has no client_id.")
    }
    guard client.utf8.count <= 1024 else {
      throw Unanswerable(reason: "The client_id is too long.")
    }
    self.client = client
    guard let redirectURI = call["redirect_uri"] ?? call.settings.onlyRedirectURI(of: client) else {
      throw Unanswerable(reason: "The request has no redirect_uri.")
    }
    guard Self.isAddress(redirectURI) else {
      throw Unanswerable(
        reason: "The redirect_uri is not an absolute address without a fragment.")
    }
    self.redirectURI = redirectURI
    if let reason = call.settings.refusal(of: client, redirectURI: redirectURI) {
      throw Unanswerable(reason: reason)
    }
    // Those of Facebook have commas between them.
    let others = call.personality.otherResponseTypes
    let asked = call["response_type"] ?? call.personality.standardResponseType ?? ""
    let types = asked.split { $0 == " " || $0 == "," && !others.isEmpty }
    responseTypes = Set(types.map(String.init)).subtracting(others)
    graphDomain = types.contains { $0 == "graph_domain" } ? call.personality.name : nil
    let isImplicit = !responseTypes.subtracting(["code"]).isEmpty
    mode = call["response_mode"].flatMap(ResponseMode.init) ?? (isImplicit ? .fragment : .query)
    state = call["state"]
    nonce = call["nonce"]
    scope = call["scope"] ?? ""
    prompts = Set((call["prompt"] ?? "").split(separator: " ").map(String.init))
    loginHint = call["login_hint"] ?? call["login"]
    maxAge = call["max_age"].flatMap { Int64($0) }
    challenge = call["code_challenge"]
    isPlainChallenge = (call["code_challenge_method"] ?? "plain") == "plain"
    isOffline =
      call["access_type"] == "offline" || scopeHas("offline_access", in: call["scope"] ?? "")
  }

  /// What is wrong with the rest of the request. The client hears of it.
  func problem(_ call: ProviderCall) -> OAuthProblem? {
    for field in ["client_id", "redirect_uri", "response_type", "scope", "state", "nonce"]
    where call.isRepeated(field) {
      return OAuthProblem(.invalidRequest, description: "\(field) is given twice")
    }
    for field in ["state", "nonce", "scope", "code_challenge"]
    where (call[field]?.utf8.count ?? 0) > 2048 {
      return OAuthProblem(.invalidRequest, description: "\(field) is too long")
    }
    if call["request"] != nil {
      return OAuthProblem(.requestNotSupported, description: "request objects are not supported")
    }
    if call["request_uri"] != nil {
      return OAuthProblem(.requestURINotSupported, description: "request_uri is not supported")
    }
    guard !responseTypes.isEmpty else {
      return OAuthProblem(.invalidRequest, description: "response_type is missing")
    }
    if call.personality.posts, responseTypes == ["id_token"] {
      return OAuthProblem(
        .unsupportedResponseType, description: "response_type is code or code id_token")
    }
    if call.personality.needsChallenge, challenge == nil {
      return OAuthProblem(.invalidRequest, description: "code_challenge is missing")
    }
    let isKnown = responseTypes.isSubset(of: Self.responseTypesKnown)
    guard isKnown, call.personality.speaksOpenID || responseTypes == ["code"] else {
      return OAuthProblem(
        .unsupportedResponseType, description: "response_type is one of code and id_token")
    }
    if let text = call["response_mode"], ResponseMode(rawValue: text) == nil {
      return OAuthProblem(
        .invalidRequest, description: "response_mode is query, fragment or form_post")
    }
    let isImplicit = responseTypes != ["code"]
    if isImplicit, call["response_mode"] == ResponseMode.query.rawValue {
      return OAuthProblem(.invalidRequest, description: "Invalid response mode")
    }
    if call.personality.posts, mode != .formPost, asks("name") || asks("email") {
      return OAuthProblem(
        .invalidRequest,
        description: "response_mode must be form_post when name or email scope is requested.")
    }
    if responseTypes.contains("id_token"), nonce == nil, call.personality.name == "oidc" {
      return OAuthProblem(.invalidRequest, description: "nonce is missing")
    }
    if let method = call["code_challenge_method"], !["S256", "plain"].contains(method) {
      return OAuthProblem(.invalidRequest, description: "code_challenge_method is S256 or plain")
    }
    if prompts.contains("none"), prompts.count > 1 {
      return OAuthProblem(.invalidRequest, description: "prompt=none cannot be combined")
    }
    return nil
  }

  func asks(_ name: String) -> Bool { scopeHas(name, in: scope) }
}

private func scopeHas(_ name: String, in scope: String) -> Bool {
  scope.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "+" }).contains { $0 == name }
}
