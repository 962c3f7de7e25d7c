import HTTPTypes
import HearthErrors
import HearthTransport

extension ErrorEnvelope {
  private static let oauthPlaces = [
    "/oauth2.googleapis.com/", "/sts.googleapis.com/", "/www.googleapis.com/oauth2/",
  ]

  /// That of a host whose errors have a form of their own. The path begins with the host.
  static func ofGoogle(_ path: String) -> ErrorEnvelope? {
    if path.hasPrefix("/\(GoogleHosts.metadata)/") { return .text }
    return oauthPlaces.contains(where: path.hasPrefix) ? .oauth : nil
  }

  /// That of Cloud Messaging, its older topic API and installations, by the id of an operation.
  static func ofMessaging(_ operation: String) -> ErrorEnvelope? {
    if operation.hasPrefix("fcm.") { return .messaging }
    if operation.hasPrefix("installations.") { return .production(listsErrors: false) }
    return operation.hasPrefix("iid.") ? .instanceID : nil
  }

  /// For a request that is refused before anything looks for its route.
  static func of(_ head: HTTPRequest, at port: ServedPort) -> ErrorEnvelope {
    if port.kind == .metadata { return .text }
    let path = head.path ?? "/"
    let place = port.isOfGoogle ? "/\(head.authority ?? "")\(path)" : path
    return ofGoogle(place) ?? .identityToolkit
  }
}
