import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// Reads accounts from a directory or file of the machine that the server runs on.
enum ImportAccounts: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let path = try request.absolutePath("path")
    let importer = try AccountImporter(
      context.store, context.server, projectId: request.project,
      hash: request.wire.object("hash") ?? JSONObject())
    let read = try await context.server.files.run { Result { try importer.read(path) } }
    let report = try read.get()
    return ReplyWriter.json(
      .members([
        "imported": .int(Int64(report.imported)), "refusals": .strings(report.refusals),
      ]))
  }
}
