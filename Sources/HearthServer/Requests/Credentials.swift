import HTTPTypes
import HearthErrors
import HearthObservation
import HearthOperations
import HearthServiceAccounts
import HearthSharing
import HearthTime
import HearthTokens
import HearthTransport
import HearthWire

/// Who calls, by the route's rule. It is decided once for a request, before its body is read.
struct Credentials {
  let caller: Caller
  /// The API key, where there is one.
  let apiKey: String?
  /// Whether the bearer token looks like a real service account's, which nobody here can check.
  private(set) var isServiceAccount = false
  /// Whose token an administrator has, on a shared server.
  private(set) var visitor: Visitor?

  /// - Throws: the error of a missing key, or of a bearer token that is not an administrator's.
  init(
    _ call: IncomingCall, query: FormFields, for route: Route, server: ServerFacts,
    sharing: Sharing? = nil,
    isConsole: @autoclosure () -> Bool
  ) throws(APIError) {
    switch route.credential {
    case .open, .control:
      caller = .anyone
      apiKey = query["key"].nonEmpty ?? query["apiKey"].nonEmpty
    case .keyOnly:
      guard let key = Self.apiKey(call, query: query) else { throw APIError(.missingAPIKey) }
      caller = .user
      apiKey = key
    case .bearer:
      apiKey = Self.apiKey(call, query: query)
      guard let token = Self.bearer(call) else {
        throw APIError(.unauthenticated, message: Self.missingBearer)
      }
      if let sharing {
        visitor = try sharing.projects.visitor("Bearer \(token)")
      } else {
        let owner = try server.owner(token, of: route.service, isConsole: isConsole())
        isServiceAccount = owner == .unchecked
      }
      caller = .admin
    case .bearerOrKey:
      apiKey = Self.apiKey(call, query: query)
      if let token = Self.bearer(call) {
        if let sharing {
          visitor = try sharing.projects.visitor("Bearer \(token)")
        } else {
          let owner = try server.owner(token, of: route.service, isConsole: isConsole())
          isServiceAccount = owner == .unchecked
        }
        caller = .admin
      } else {
        guard apiKey != nil else { throw APIError(.missingAPIKey) }
        caller = .user
      }
    }
  }

  private static let missingBearer =
    "Request is missing required authentication credential. Expected OAuth 2 access token, login "
    + "cookie or other valid authentication credential. "
    + "See https://developers.google.com/identity/sign-in/web/devconsole-project."

  /// Whom the log names as the caller.
  var callerForLog: AnsweredCall.Caller {
    switch caller {
    case .admin: .owner
    case .user: .apiKey
    case .anyone: apiKey == nil ? .anonymous : .apiKey
    }
  }

  /// The key of the query or of the header; given twice in the query, it counts as not given there.
  private static func apiKey(_ call: IncomingCall, query: FormFields) -> String? {
    let keys = query.values(of: "key")
    if keys.count == 1, !keys[0].isEmpty { return keys[0] }
    return call.headers[.apiKey].nonEmpty
  }

  /// What follows `Bearer ` with its one space. Other schemes are ignored.
  private static func bearer(_ call: IncomingCall) -> String? {
    guard let header = call.authorization, header.count > 7,
      header.prefix(7).lowercased() == "bearer "
    else { return nil }
    return String(header.dropFirst(7))
  }
}

extension ServerFacts {
  /// How a bearer token that is an administrator's proves it.
  enum Owner {
    /// It is the word of the emulators.
    case named
    /// It was issued here, or the service account has signed it.
    case verified
    /// It looks like an access token. Nobody here can check it.
    case unchecked
  }

  /// Says how a bearer token is an administrator's.
  ///
  /// `isConsole` says whether the call is one of the console. No production build makes such calls, and
  /// the console itself has no other credential. What is not an administrator's is `INVALID_CREDENTIALS`,
  /// and the explanation says why.
  func owner(
    _ token: String, of service: String, isConsole: @autoclosure () -> Bool = false
  ) throws(APIError) -> Owner {
    if token.lowercased() == "owner" {
      guard google != nil, !isConsole() else { return .named }
      throw Self.refused(
        "`Bearer owner` is for emulators; as Google, callers need an access token, and hearth mcp "
          + "needs --service-account FILE")
    }
    let now = clocks.now(of: serviceAccounts.projectId)
    // Google's access tokens begin like that.
    if token.hasPrefix("ya29.") {
      if serviceAccounts.hasIssued(token, at: now) { return .verified }
      guard google != nil else { return .unchecked }
      throw Self.refused("the access token was not issued here, or is no longer valid")
    }
    // A JWT has dots. What has none cannot be one that a service account has signed.
    guard countsSelfSigned, token.utf8.contains(UInt8(ascii: ".")) else {
      throw google == nil
        ? APIError(.invalidCredentials) : Self.refused("the token is not an access token")
    }
    do throws(Assertion.Refusal) {
      // Clients sign by the machine's clock, wherever the project's is.
      try serviceAccounts.checkSelfSigned(token, for: service, at: [now, clock.now])
    } catch {
      throw Self.refused(error.description)
    }
    return .verified
  }

  /// Whether what a service account signs by itself can count.
  var countsSelfSigned: Bool { serviceAccounts.known != nil || serviceAccounts.acceptsAny }

  private static func refused(_ reason: String) -> APIError {
    var error = APIError(.invalidCredentials)
    error.explain(JSON.members(["credential": .string(reason)]).text)
    return error
  }
}

extension Route {
  /// The host of the API that the route belongs to, which tokens name in `aud`.
  var service: String {
    guard case .literal(let host)? = template.segments.dropFirst().first, host.contains(".") else {
      return "identitytoolkit.googleapis.com"
    }
    return host
  }
}

extension PresentedToken {
  /// Whose token it is; nil where it is not ours and nobody can know.
  var uid: String? {
    switch signature {
    case .foreign: nil
    case .ours, .none: claims["sub"]?.string ?? claims["user_id"]?.string
    }
  }
}

extension APIError {
  /// Why a credential does not count, where that is what it says.
  var credentialProblem: String? {
    explanation.flatMap { (try? JSON.parse($0))?["credential"]?.string }
  }
}
