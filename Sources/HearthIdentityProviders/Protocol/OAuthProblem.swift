import HearthCrypto
import HearthOperations
import HearthTime
import HearthWire

/// A refusal in the words of OAuth 2 (RFC 6749, section 5.2).
struct OAuthProblem: Error {
  enum Code: String {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case invalidToken = "invalid_token"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
    case accessDenied = "access_denied"
    case authorizationPending = "authorization_pending"
    case expiredToken = "expired_token"
    case loginRequired = "login_required"
    case consentRequired = "consent_required"
    case interactionRequired = "interaction_required"
    case requestNotSupported = "request_not_supported"
    case requestURINotSupported = "request_uri_not_supported"
    case temporarilyUnavailable = "temporarily_unavailable"
    case userCancelled = "user_cancelled_authorize"
    case invalidProof = "invalid_appsecret_proof"
    case redirectURIMismatch = "redirect_uri_mismatch"
  }

  let code: Code
  let description: String

  init(_ code: Code, description: String) {
    self.code = code
    self.description = description
  }

  private func status(_ call: ProviderCall) -> Int {
    switch code {
    // Apple's.
    case .invalidClient where call.personality.takesSignedSecrets: 400
    case .invalidClient, .invalidToken: 401
    case .temporarilyUnavailable: 503
    default: 400
    }
  }

  /// The refusal as the provider writes it.
  func outcome(_ call: ProviderCall) -> Outcome {
    let status = self.status(call)
    switch call.personality.wording {
    case .json, .google:
      var headers = ProviderCall.uncached
      if code == .invalidToken {
        headers.append(("WWW-Authenticate", "Bearer error=\"invalid_token\""))
      } else if code == .invalidClient, call.context.authorization != nil {
        headers.append(("WWW-Authenticate", "Basic realm=\"\(call.personality.name)\""))
      }
      let members = JSONObject([
        "error": .string(code.rawValue), "error_description": .string(words(call)),
      ])
      return .answer(Answer(status: status, body: .json(members), headers: headers))
    case .microsoft:
      return .answer(
        Answer(
          status: status, body: .json(microsoftMembers(at: call.context.now)),
          headers: ProviderCall.uncached))
    case .facebook:
      return .answer(
        Answer(
          status: code == .invalidToken ? 401 : 400, body: .json(facebookMembers(call)),
          headers: ProviderCall.uncached))
    case .github:
      return code == .invalidToken
        ? call.githubRefusal(401, message: "Bad credentials") : call.githubAnswer(githubMembers)
    }
  }

  private func words(_ call: ProviderCall) -> String {
    guard case .google = call.personality.wording else { return description }
    return switch code {
    case .invalidGrant where call["code"]?.hasPrefix(Grant.codePrefix) == false:
      "Malformed auth code."
    case .invalidGrant: "Bad Request"
    case .invalidClient: "Unauthorized"
    default: description
    }
  }

  /// Graph's form, with its numbers.
  private func facebookMembers(_ call: ProviderCall) -> JSONObject {
    let (number, kind): (Int64, String) =
      switch code {
      case .invalidToken: (190, "OAuthException")
      case .invalidClient: (101, "OAuthException")
      case .temporarilyUnavailable: (2, "OAuthException")
      case .invalidProof: (100, "GraphMethodException")
      default: (100, "OAuthException")
      }
    return JSONObject([
      "error": .members([
        "message": .string(description), "type": .string(kind), "code": .int(number),
        "error_subcode": code == .invalidToken ? .int(463) : nil,
        "fbtrace_id": .string("A" + call.context.random.base64URL(22)),
      ])
    ])
  }

  private func microsoftMembers(at now: Timestamp) -> JSONObject {
    let number: Int64 =
      switch code {
      case .invalidGrant: 70008
      case .invalidClient: 7_000_215
      case .invalidScope: 70011
      case .unsupportedGrantType: 70003
      case .authorizationPending: 70016
      case .invalidRequest: 900_144
      default: 90_015
      }
    let trace = "00000000-0000-0000-0000-000000000000"
    return JSONObject([
      "error": .string(code.rawValue),
      "error_description": .string(
        "AADSTS\(number): \(description)\r\nTrace ID: \(trace)\r\nCorrelation ID: \(trace)\r\n"
          + "Timestamp: \(now.iso8601)"),
      "error_codes": .array([.int(number)]), "timestamp": .string(now.iso8601),
      "trace_id": .string(trace), "correlation_id": .string(trace),
    ])
  }

  private static let githubPage =
    "https://docs.github.com/apps/managing-oauth-apps/"
    + "troubleshooting-oauth-app-access-token-request-errors/#"

  private var githubMembers: JSONObject {
    let (error, words): (String, String) =
      switch code {
      case .invalidGrant:
        ("bad_verification_code", "The code passed is incorrect or expired.")
      case .invalidClient:
        (
          "incorrect_client_credentials",
          "The client_id and/or client_secret passed are incorrect."
        )
      case .redirectURIMismatch:
        (
          code.rawValue,
          "The redirect_uri MUST match the registered callback URL for this application."
        )
      default: (code.rawValue, description)
      }
    return JSONObject([
      "error": .string(error), "error_description": .string(words),
      "error_uri": .string(Self.githubPage + error.replacing("_", with: "-")),
    ])
  }
}
