import HTTPTypes
import HearthErrors
import HearthTransport

/// Stops the server, as the official Firestore emulator does. No web page may: browsers say that a
/// request comes from one, whichever origin it has.
enum ShutDown: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let call = request.call
    guard call.headers[.origin] == nil, call.headers[.secFetchSite] == nil,
      context.hosts.isLoopback(call.host), context.hosts.isOwnPeer(call.remoteAddress)
    else {
      throw APIError(
        .forbiddenHost, detail: "this endpoint answers to programs on this machine only")
    }
    guard let onShutdown = context.onShutdown else {
      throw APIError(.forbiddenHost, detail: "this server ends with the program that started it")
    }
    onShutdown()
    return ReplyWriter.text("Shutting down...", contentType: "text/plain; charset=utf-8")
  }
}
