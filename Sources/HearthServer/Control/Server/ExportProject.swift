import HearthErrors
import HearthOperations
import HearthWire

/// Writes a project's accounts and documents to a directory of the machine that the server runs on.
/// With `exportDirectory` it is the call that the official tools make: one database, and no accounts.
enum ExportProject: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    if request.wire.has("exportDirectory") {
      return try await OfficialExportCall.answer(request) { call throws(APIError) in
        try await call.export(context.exports)
      }
    }
    try request.requireOwnPage()
    let directory = try request.absolutePath("directory")
    try await context.exports.exportAll(of: request.project, to: directory)
    return ReplyWriter.json(.members(["directory": .string(directory)]))
  }
}
