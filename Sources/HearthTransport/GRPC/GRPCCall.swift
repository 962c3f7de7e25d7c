import NIOHPACK

/// What the headers of a gRPC call say.
///
/// By gRPC's PROTOCOL-HTTP2.md. Names are compared as they come: HTTP/2 has them in lower case (RFC
/// 9113 section 8.2.1).
package struct GRPCCall: Sendable {
  /// `/google.firestore.v1.Firestore/Commit`.
  private(set) var path = ""
  /// The host that the client asks.
  private(set) var authority = ""
  package private(set) var authorization: String?
  /// `x-firebase-appcheck`; several of them, joined with commas, are malformed.
  package private(set) var appCheck: String?
  /// What the client says of itself.
  package private(set) var client: String?
  /// How messages are compressed that are marked as compressed; nil for not at all.
  private(set) var encoding: String?
  /// How much time the client gives the call. Nil where it gives no time, or none that can be read:
  /// there is no bound then.
  private(set) var timeout: Duration?

  /// Nil where the headers are not those of gRPC.
  init?(_ headers: HPACKHeaders) {
    var isPost = false
    var isGRPC = false
    for header in headers {
      switch header.name {
      case ":method": isPost = header.value == "POST"
      case ":path": path = header.value
      case ":authority": authority = header.value
      case "content-type": isGRPC = Self.isGRPC(header.value)
      case "authorization": authorization = authorization ?? header.value
      case "x-firebase-appcheck":
        appCheck = appCheck.map { "\($0), \(header.value)" } ?? header.value
      case "x-goog-api-client": client = header.value
      case "grpc-encoding": encoding = header.value
      case "grpc-timeout": timeout = Duration(grpcTimeout: header.value)
      default: break
      }
    }
    guard isPost, isGRPC else { return nil }
  }

  /// Other formats, such as `+json`, are not served. `application/grpc-web` is another protocol.
  private static func isGRPC(_ contentType: String) -> Bool {
    if contentType == "application/grpc" { return true }
    guard contentType.hasPrefix("application/grpc") else { return false }
    let type = contentType.prefix { $0 != ";" && $0 != " " }
    return type == "application/grpc" || type == "application/grpc+proto"
  }
}

extension Duration {
  /// Reads `10S` or `500m`. PROTOCOL-HTTP2.md allows eight digits at most, so that nothing
  /// overflows.
  package init?(grpcTimeout text: String) {
    guard text.utf8.count <= 9, let amount = Int64(text.dropLast()), amount >= 0 else {
      return nil
    }
    switch text.last {
    case "H": self = .seconds(amount * 3600)
    case "M": self = .seconds(amount * 60)
    case "S": self = .seconds(amount)
    case "m": self = .milliseconds(amount)
    case "u": self = .microseconds(amount)
    case "n": self = .nanoseconds(amount)
    default: return nil
    }
  }
}
