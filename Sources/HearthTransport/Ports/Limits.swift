package import HTTPTypes
package import HearthErrors

/// What a client may ask of a listener before it is cut off.
package struct Limits: Sendable {
  /// Bytes of a request body, as it came and unpacked.
  package var body = 10 << 20
  /// The bound of requests whose row has one of its own.
  package var bound: (@Sendable (HTTPRequest) -> BodyBound?)?
  /// Bytes of a request body that brings accounts to import.
  package var importBody = 64 << 20
  /// Bytes of a body of WebChannel, whose messages escape their quotation marks.
  package var channelBody = (16 << 20) - 1
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
  /// Bytes of the log of requests, over all projects.
  package var requestLog = 32 << 20

  /// Bytes that the snapshots of all projects may hold.
  package var snapshots = 1 << 30
  /// Bytes of mails from apps that a project's mailbox holds.
  package var mailbox = 256 << 20

  package init() {}
}

/// How long the body of a request may be, and what is said of a longer one.
package struct BodyBound: Sendable {
  package let bytes: Int
  package let refusal: APIError

  package init(_ bytes: Int, refusal: APIError = APIError(.payloadTooLarge)) {
    self.bytes = bytes
    self.refusal = refusal
  }
}

extension Limits {
  /// The bound of a request by its head, which nothing but a long body asks for.
  package func body(of head: HTTPRequest?) -> BodyBound {
    head.flatMap { bound?($0) } ?? BodyBound(body)
  }
}
