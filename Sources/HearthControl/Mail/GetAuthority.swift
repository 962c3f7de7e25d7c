import HearthTLS
import HearthTransport

/// The certificates that clients have to trust who use TLS.
enum GetAuthority: ServerOperation {
  static func run(
    _ request: ServerRequest, with trust: Trust
  ) async throws -> OutgoingReply {
    ReplyWriter.text(
      try trust.pem(), contentType: "application/x-pem-file")
  }
}
