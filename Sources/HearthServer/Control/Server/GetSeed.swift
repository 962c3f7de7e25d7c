import HearthErrors
import HearthOperations
import HearthSeeds
import HearthTransport

/// The project as a seed.
enum GetSeed: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let dump = SeedDump(exports: context.exports, faults: context.faults, project: request.project)
    return ReplyWriter.json(try await context.exports.onFiles { try dump.json() })
  }
}
