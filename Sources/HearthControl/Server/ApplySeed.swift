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
  struct Request: ServerOperationRequest {
    let project: String
    let path: String?
    let content: String?

    init(_ request: ServerRequest) throws(APIError) {
      try request.requireOwnPage()
      try request.checkMembers("content", "path")
      project = request.project
      content = request.wire.string("content")
      let namesFile = request.wire.string("path") != nil
      if request.visitor?.project != nil, namesFile {
        throw APIError(
          .permissionDenied, detail: "only the operator of this server may name its files")
      }
      path = content == nil || namesFile ? try request.absolutePath("path") : nil
    }
  }

  static func run(
    _ request: Request, with parts: SeedParts
  ) async throws -> OutgoingReply {
    let file = SeedFile(path: request.path, content: request.content.map { Data($0.utf8) })
    let seeding = Seeding(
      exports: parts.exports, faults: parts.faults, project: request.project)
    _ = try await parts.exports.onFiles { try await seeding.apply([file]) }
    return ReplyWriter.json([:])
  }
}
