import HTTPTypes
import HearthConsole
import HearthErrors
import HearthOperations
import HearthTransport

/// The web console, and its files.
enum GetConsole: ServerOperation {
  static func run(
    _ request: ServerRequest, with _: NoParts
  ) async throws -> OutgoingReply {
    let path = [request.wire.path["folder"], request.wire.path["asset"]].compactMap(\.self)
    guard let asset = ConsoleAsset.all[path.isEmpty ? "index.html" : path.joined(separator: "/")]
    else {
      throw APIError(.routeNotFound)
    }
    var reply = OutgoingReply(status: 200, body: asset.content)
    reply.headers[.contentType] = asset.contentType
    reply.headers[.contentSecurityPolicy] = ConsoleAsset.contentSecurityPolicy
    reply.headers[.xContentTypeOptions] = "nosniff"
    // The page names this version: its files are asked for once.
    reply.headers[.cacheControl] =
      request.wire.path["version"] == ConsoleAsset.version
      ? "public, max-age=31536000, immutable" : "no-cache"
    reply.headers[.eTag] = asset.entityTag
    reply.headers[.vary] = "Accept-Encoding"
    if let compressed = asset.compressed, takesGzip(request.call.headers[.acceptEncoding]) {
      reply.body = compressed
      reply.headers[.contentEncoding] = "gzip"
    }
    if request.call.headers[.ifNoneMatch]?.contains(asset.entityTag) == true {
      reply.status = 304
      reply.body = []
      reply.headers[.contentType] = nil
      reply.headers[.contentEncoding] = nil
    }
    return reply
  }

  /// Whether a client lists gzip without a weight of zero.
  private static func takesGzip(_ accepted: String?) -> Bool {
    (accepted ?? "").lowercased().split(separator: ",").contains { one in
      let parts = one.split(separator: ";").map { $0.filter { $0 != " " } }
      guard parts.first == "gzip" || parts.first == "*" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { "1"..."9" ~= $0 } }
    }
  }
}
