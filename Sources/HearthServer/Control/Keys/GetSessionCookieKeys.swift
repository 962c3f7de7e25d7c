import HearthTokens
import HearthTransport
import HearthWire

/// The keys that verify session cookies, which are those of tokens.
enum GetSessionCookieKeys: ServerOperation {
  static func run(
    _ request: ServerRequest, with keys: KeySet
  ) async throws -> OutgoingReply {
    ReplyWriter.cached(
      .members([
        "keys": try await keys.jwks()["keys"],
        "kind": "identitytoolkit#GetSessionCookiePublicKeysResponse",
      ]))
  }
}
