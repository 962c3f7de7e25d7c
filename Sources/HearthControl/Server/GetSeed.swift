import HearthErrors
import HearthOperations
import HearthSeeds
import HearthTransport

/// The project as a seed.
enum GetSeed: ServerOperation {
  static func run(
    _ request: ServerRequest, with parts: SeedParts
  ) async throws -> OutgoingReply {
    let dump = SeedDump(exports: parts.exports, faults: parts.faults, project: request.project)
    return ReplyWriter.json(try await parts.exports.onFiles { try dump.json() })
  }
}
