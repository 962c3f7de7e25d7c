/// What a port of the server is for.
package enum PortRole: Hashable {
  case auth
  case firestore
  case console
  case unsignedAuth
  case hub
  /// SMTP without TLS, and with STARTTLS.
  case smtp
  case smtpTLS
  case mailAPI
  /// Google's hosts over TLS, the proxy that leads there, and the metadata server.
  case google
  case proxy
  case metadata
  /// A port of dialects, by the number that they ask for.
  case dialect(Int)
}
