import HearthTLS

/// The certificate that mail clients have to trust who use STARTTLS.
enum GetAuthority: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.text(
      try context.certificates.authorityPEM(), contentType: "application/x-pem-file")
  }
}
