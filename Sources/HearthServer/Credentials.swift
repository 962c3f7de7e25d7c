import HTTPTypes
import HearthCore
import HearthStore

/// Who calls, by the route's rule.
struct Credentials {
  let caller: Caller
  /// The API key, where there is one.
  let apiKey: String?

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
        caller = .admin
      } else {
        guard apiKey != nil else { throw APIError(.missingAPIKey) }
        caller = .user
      }
    }
  }

  /// The key of the query or of the header; given twice, it counts as not given.
  private static func apiKey(_ call: IncomingCall, _ query: FormFields) -> String? {
    let keys = query.values(of: "key")
    if keys.count == 1 { return keys[0].isEmpty ? nil : keys[0] }
    guard keys.isEmpty else { return nil }
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
