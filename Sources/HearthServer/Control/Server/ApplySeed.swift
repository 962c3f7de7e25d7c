import HearthErrors
import HearthObservation
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

/// What endpoints of seeds work with.
struct SeedParts: ServerParts {
  let exports: Exports
  let faults: Faults

  static func parts(of server: ServerContext) -> SeedParts {
    SeedParts(exports: server.exports, faults: server.observation.faults)
  }
}

/// Puts a seed into the project: `{"content": …}`, or `{"path": …}` of a file of the server's machine.
/// With both, the path says where the file of rules is.
enum ApplySeed: ServerOperation {
  static func run(
    _ request: ServerRequest, with parts: SeedParts
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
      exports: parts.exports, faults: parts.faults, project: request.project)
    _ = try await parts.exports.onFiles { try await seeding.apply([file]) }
    return ReplyWriter.json([:])
  }
}
