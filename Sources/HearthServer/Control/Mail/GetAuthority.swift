import HearthTLS
import HearthTransport

/// The certificates that clients have to trust who use TLS.
enum GetAuthority: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.text(
      try context.trust.pem(), contentType: "application/x-pem-file")
  }
}
