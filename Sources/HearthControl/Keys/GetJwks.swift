package import HearthTokens
package import HearthTransport

/// The keys that verify our tokens, as a JSON Web Key Set.
package enum GetJwks: ServerOperation {
  package static func run(
    _ request: ServerRequest, with keys: KeySet
  ) async throws -> OutgoingReply {
    ReplyWriter.cached(try await keys.jwks())
  }
}
