package import HearthTokens
package import HearthTransport
import HearthWire

/// The keys that verify session cookies, which are those of tokens.
package enum GetSessionCookieKeys: ServerOperation {
  package static func run(
    _ request: ServerRequest, with keys: KeySet
  ) async throws -> OutgoingReply {
    ReplyWriter.cached(
      .members([
        "keys": try await keys.jwks()["keys"],
        "kind": "identitytoolkit#GetSessionCookiePublicKeysResponse",
      ]))
  }
}
