import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// Writes a project's accounts to a directory of the machine that the server runs on.
enum ExportAccounts: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let directory = try request.absolutePath("directory")
    let export = AccountExport(context.store, context.server, projectId: request.project)
    let end = try await context.server.files.run { Result { try export.write(to: directory) } }
    try end.get()
    return ReplyWriter.json(.members(["directory": .string(directory)]))
  }
}
