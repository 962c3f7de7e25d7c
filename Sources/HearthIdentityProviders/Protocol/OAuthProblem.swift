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
  }

  let code: Code
  let description: String

  init(_ code: Code, description: String) {
    self.code = code
    self.description = description
  }

  private var status: Int {
    switch code {
    case .invalidClient, .invalidToken: 401
    case .temporarilyUnavailable: 503
    default: 400
    }
  }

  /// The refusal as the provider writes it.
  func outcome(_ call: ProviderCall) -> Outcome {
    switch call.personality.wording {
    case .json:
      var headers = ProviderCall.uncached
      if code == .invalidToken {
        headers.append(("WWW-Authenticate", "Bearer error=\"invalid_token\""))
      } else if code == .invalidClient, call.context.authorization != nil {
        headers.append(("WWW-Authenticate", "Basic realm=\"\(call.personality.name)\""))
      }
      return .answer(Answer(status: status, body: .json(members), headers: headers))
    case .microsoft:
      return .answer(
        Answer(
          status: status, body: .json(microsoftMembers(at: call.context.now)),
          headers: ProviderCall.uncached))
    case .github: return call.githubAnswer(githubMembers, status: code == .invalidToken ? 401 : 200)
    }
  }

  private var members: JSONObject {
    JSONObject(["error": .string(code.rawValue), "error_description": .string(description)])
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
      default: (code.rawValue, description)
      }
    return JSONObject(["error": .string(error), "error_description": .string(words)])
  }
}
