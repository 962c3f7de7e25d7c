package import HearthTokens
package import HearthTransport

/// The keys that verify our tokens, as X.509 certificates by key id.
package enum GetCertificates: ServerOperation {
  package static func run(
    _ request: ServerRequest, with keys: KeySet
  ) async throws -> OutgoingReply {
    ReplyWriter.cached(try await keys.certificates())
  }
}
