import HearthTokens
import HearthTransport
import HearthWire

/// The keys that verify session cookies, which are those of tokens.
enum GetSessionCookieKeys: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.cached(
      .members([
        "keys": try await context.keys.jwks()["keys"],
        "kind": "identitytoolkit#GetSessionCookiePublicKeysResponse",
      ]))
  }
}
