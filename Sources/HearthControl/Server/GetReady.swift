import HearthErrors
import HearthSQLite
import HearthTokens
import HearthTransport
import HearthWire

/// That the server is ready: what `GET /` answers at each port but that of the console.
enum GetReady: ServerOperation {
  struct Parts: ServerParts {
    let keys: KeySet
    let store: Store

    static func parts(of server: ServerContext) -> Parts {
      Parts(keys: server.keys, store: server.store)
    }
  }

  static func run(
    _ request: ServerRequest, with parts: Parts
  ) async throws -> OutgoingReply {
    let call = request.call
    guard call.servedPort.tokenMode == .none || !parts.keys.hasFailed else {
      throw APIError(.unavailable, detail: "no token can be signed")
    }
    guard !parts.store.isLost else {
      throw APIError(.unavailable, detail: "the data directory is gone")
    }
    if call.method == "HEAD" { return OutgoingReply(status: 200) }
    switch call.servedPort.kind {
    case .firestore: return ReplyWriter.text("Ok", contentType: "text/plain; charset=utf-8")
    case .auth, .console, .dialect, .hub, .mailAPI, .google, .metadata:
      return ReplyWriter.json(
        .members([
          "authEmulator": .members([
            "ready": true,
            "docs": "https://firebase.google.com/docs/emulator-suite",
            "apiSpec": "/emulator/openapi.json",
          ])
        ]))
    }
  }
}
