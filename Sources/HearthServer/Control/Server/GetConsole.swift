import HTTPTypes
import HearthConsole
import HearthErrors
import HearthOperations

/// The web console, and its files.
enum GetConsole: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let path = [request.wire.path["folder"], request.wire.path["asset"]].compactMap(\.self)
    guard let asset = ConsoleAsset.all[path.isEmpty ? "index.html" : path.joined(separator: "/")]
    else {
      throw APIError(.routeNotFound)
    }
    var reply = ReplyWriter.text(asset.text, contentType: asset.contentType)
    reply.headers[.contentSecurityPolicy] = ConsoleAsset.contentSecurityPolicy
    reply.headers[.xContentTypeOptions] = "nosniff"
    reply.headers[.cacheControl] = "no-cache"
    return reply
  }
}
