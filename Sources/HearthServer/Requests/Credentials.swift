import HTTPTypes
import HearthErrors
import HearthOperations
import HearthTokens
import HearthWire

/// Who calls, by the route's rule.
struct Credentials {
  let caller: Caller
  /// The API key, where there is one.
  let apiKey: String?
  /// Whether the bearer token looks like a real service account's, which nobody here can check.
  private(set) var isServiceAccount = false

  init(_ call: IncomingCall, _ query: FormFields, for route: Route) throws(APIError) {
    switch route.credential {
    case .open, .control:
      caller = .anyone
      apiKey = query["key"].nonEmpty ?? query["apiKey"].nonEmpty
    case .keyOnly:
      guard let key = Self.apiKey(call, query) else { throw APIError(.missingAPIKey) }
      caller = .user
      apiKey = key
    case .bearerOrKey:
      apiKey = Self.apiKey(call, query)
      if let token = Self.bearer(call) {
        guard token.lowercased() == "owner" || token.hasPrefix("ya29.") else {
          throw APIError(.invalidCredentials)
        }
        isServiceAccount = token.hasPrefix("ya29.")
        caller = .admin
      } else {
        guard apiKey != nil else { throw APIError(.missingAPIKey) }
        caller = .user
      }
    }
  }

  /// Whom the log names as the caller.
  var callerForLog: AnsweredCall.Caller {
    switch caller {
    case .admin: .owner
    case .user: .apiKey
    case .anyone: apiKey == nil ? .anonymous : .apiKey
    }
  }

  /// The key of the query or of the header; given twice in the query, it counts as not given there.
  private static func apiKey(_ call: IncomingCall, _ query: FormFields) -> String? {
    let keys = query.values(of: "key")
    if keys.count == 1, !keys[0].isEmpty { return keys[0] }
    return call.headers[.apiKey].nonEmpty
  }

  /// What follows `Bearer ` with its one space. Other schemes are ignored.
  private static func bearer(_ call: IncomingCall) -> String? {
    guard let header = call.headers[.authorization], header.count > 7,
      header.prefix(7).lowercased() == "bearer "
    else { return nil }
    return String(header.dropFirst(7))
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
