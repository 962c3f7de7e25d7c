import HearthErrors
import HearthOperations
import HearthSeeds
import HearthTransport
import HearthWire

/// Writes a project's accounts and documents to a directory of the machine that the server runs on.
/// With `file` it is a list of the accounts alone, as `firebase auth:export` writes it. With
/// `exportDirectory` it is the call that the official tools make: one database, and no accounts.
enum ExportProject: ServerOperation {
  struct Request: ServerOperationRequest {
    enum Target {
      case official(ServerRequest)
      case accounts(file: String, format: String?)
      case directory(String)
    }

    let project: String
    let target: Target

    init(_ request: ServerRequest) throws(APIError) {
      project = request.project
      if OfficialExportCall.isMade(by: request) {
        target = .official(request)
        return
      }
      try request.requireOwnPage()
      target =
        request.wire.has("file")
        ? .accounts(
          file: try request.absolutePath("file"), format: request.wire.string("format"))
        : .directory(try request.absolutePath("directory"))
    }
  }

  static func run(
    _ request: Request, with exports: Exports
  ) async throws -> OutgoingReply {
    switch request.target {
    case .official(let call):
      return try await OfficialExportCall.answer(call) { call throws(APIError) in
        try await call.export(exports)
      }
    case .accounts(let file, let format):
      let count = try await exports.exportAccounts(of: request.project, to: file, as: format)
      return ReplyWriter.json(
        .members(["file": .string(file), "exported": .int(Int64(count))]))
    case .directory(let directory):
      try await exports.exportAll(of: request.project, to: directory)
      return ReplyWriter.json(.members(["directory": .string(directory)]))
    }
  }
}
