import HearthErrors
package import HearthFirestore
import HearthLimits

/// What a client may ask of a listener before it is cut off.
package struct Limits: Sendable {
  /// Bytes of a request body, as it came and unpacked.
  package var body = 10 << 20
  /// Whether requests to Firestore may be as large as in production, which is a little more. Which
  /// project a request is for is known too late.
  var isFirestoreAsProduction = false
  /// Bytes of a request body that brings accounts to import.
  package var importBody = 64 << 20
  /// Bytes of a mail that comes in over SMTP.
  package var mail = 25 << 20
  /// Bytes of a message of gRPC, as it came and unpacked.
  package var message = 16 << 20
  /// Bytes of all header fields of a request.
  package var headers = 32 << 10
  /// Connections at once; more wait in the kernel's queue.
  package var connections = 2048
  /// Streams of an HTTP/2 connection at once; more are refused.
  package var streams = 2000
  /// Streams that an HTTP/2 client may cancel in half a minute. One that cancels more means harm.
  package var resets = 10_000
  /// Seconds from the first byte of a request to its last.
  package var requestTime: Int64 = 30
  /// Seconds that a connection may stay open without a request.
  package var idleTime: Int64 = 75
  /// Seconds that an HTTP/2 connection may stay open without a stream and without a ping. Clients
  /// keep theirs for long.
  package var http2IdleTime: Int64 = 600
  /// Milliseconds that an HTTP/2 connection may take to end once it has been asked to.
  package var graceTime: Int64 = 1000
  /// What is kept of Firestore's past.
  package var history = HistoryBounds()
  /// Bytes of the log of requests, over all projects.
  package var requestLog = 32 << 20

  /// Bytes that the snapshots of all projects may hold.
  package var snapshots = 1 << 30
  /// Bytes of mails from apps that a project's mailbox holds.
  package var mailbox = 256 << 20

  package init() {}
}

extension Limits {
  /// Imports are large; nothing else is.
  func body(of path: String?) -> Int {
    if isOfProduction(path) { return max(body, Limit.requestSize.value) }
    // Every request asks: bytes are compared, from the end.
    guard importBody > body, let path = path?.utf8.prefix(while: { $0 != UInt8(ascii: "?") })
    else { return body }
    let isImport = ["/accounts:batchCreate", "/uploadAccount"].contains { suffix in
      path.reversed().starts(with: suffix.utf8.reversed())
    }
    return isImport ? importBody : body
  }

  /// What is said of a body that is too large.
  func refusal(of path: String?) -> APIError {
    guard isOfProduction(path) else { return APIError(.payloadTooLarge) }
    return APIError(.invalidArgument, message: Limit.requestSize.refusal())
  }

  /// Whether the path is of a request to Firestore that production's bound is for.
  func isOfProduction(_ path: String?) -> Bool {
    guard isFirestoreAsProduction, let path else { return false }
    return path.hasPrefix("/v1/projects/") && path.contains("/documents")
  }
}
