import HTTPTypes
import HearthErrors
import HearthSettings
import HearthTransport

/// Stops the server, as the official Firestore emulator does. No web page may: browsers say that a
/// request comes from one, whichever origin it has.
enum ShutDown: ServerOperation {
  struct Parts: ServerParts {
    let hosts: Hosts
    /// Nil where `hearth exec` ends the server.
    let onShutdown: (@Sendable () -> Void)?

    static func parts(of server: ServerContext) -> Parts {
      Parts(
        hosts: server.network.hosts, onShutdown: server.overview.configuration.onShutdown)
    }
  }

  static func run(
    _ request: ServerRequest, with parts: Parts
  ) async throws -> OutgoingReply {
    let call = request.call
    guard call.headers[.origin] == nil, call.headers[.secFetchSite] == nil,
      parts.hosts.isLoopback(call.host), parts.hosts.isOwnPeer(call.remoteAddress)
    else {
      throw APIError(
        .forbiddenHost, detail: "this endpoint answers to programs on this machine only")
    }
    guard let onShutdown = parts.onShutdown else {
      throw APIError(.forbiddenHost, detail: "this server ends with the program that started it")
    }
    onShutdown()
    return ReplyWriter.text("Shutting down...", contentType: "text/plain; charset=utf-8")
  }
}
