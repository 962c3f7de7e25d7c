import HearthTokens
import HearthTransport

/// The keys that verify our tokens, as X.509 certificates by key id.
enum GetCertificates: ServerOperation {
  static func run(
    _ request: ServerRequest, with keys: KeySet
  ) async throws -> OutgoingReply {
    ReplyWriter.cached(try await keys.certificates())
  }
}
