import HearthErrors
import HearthOperations
import HearthSeeds
import HearthTransport
import HearthWire

/// Writes a project's accounts and documents to a directory of the machine that the server runs on.
/// With `file` it is a list of the accounts alone, as `firebase auth:export` writes it. With
/// `exportDirectory` it is the call that the official tools make: one database, and no accounts.
enum ExportProject: ServerOperation {
  static func run(
    _ request: ServerRequest, with exports: Exports
  ) async throws -> OutgoingReply {
    if request.wire.has("exportDirectory") {
      return try await OfficialExportCall.answer(request) { call throws(APIError) in
        try await call.export(exports)
      }
    }
    try request.requireOwnPage()
    if request.wire.has("file") {
      let file = try request.absolutePath("file")
      let count = try await exports.exportAccounts(
        of: request.project, to: file, as: request.wire.string("format"))
      return ReplyWriter.json(
        .members(["file": .string(file), "exported": .int(Int64(count))]))
    }
    let directory = try request.absolutePath("directory")
    try await exports.exportAll(of: request.project, to: directory)
    return ReplyWriter.json(.members(["directory": .string(directory)]))
  }
}
