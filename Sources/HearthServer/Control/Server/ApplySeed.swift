import HearthErrors
import HearthOperations
import HearthSeeds
import HearthSharing
import HearthTransport
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Puts a seed into the project: `{"content": …}`, or `{"path": …}` of a file of the server's machine.
/// With both, the path says where the file of rules is.
enum ApplySeed: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try request.requireOwnPage()
    try request.checkMembers("content", "path")
    let content = request.wire.string("content")
    if request.visitor?.project != nil, request.wire.string("path") != nil {
      throw APIError(
        .permissionDenied, detail: "only the operator of this server may name its files")
    }
    let path: String? =
      content == nil || request.wire.string("path") != nil
      ? try request.absolutePath("path") : nil
    let file = SeedFile(path: path, content: content.map { Data($0.utf8) })
    let seeding = Seeding(
      exports: context.exports, faults: context.faults, project: request.project)
    _ = try await context.exports.onFiles { try await seeding.apply([file]) }
    return ReplyWriter.json([:])
  }
}
