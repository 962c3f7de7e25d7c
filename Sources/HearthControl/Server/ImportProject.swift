import HearthErrors
import HearthExports
import HearthIdentityToolkit
import HearthOperations
import HearthSeeds
import HearthTransport
import HearthWire

/// Reads accounts and documents from a directory or file of the machine that the server runs on.
/// With `exportDirectory` it is the call that the official tools make: one database, by its
/// metadata file.
enum ImportProject: ServerOperation {
  struct Request: ServerOperationRequest {
    enum Source {
      case official(ServerRequest)
      /// A directory or file, and how its passwords are hashed.
      case path(String, hash: JSONObject)
    }

    let project: String
    let source: Source

    init(_ request: ServerRequest) throws(APIError) {
      project = request.project
      if OfficialExportCall.isMade(by: request) {
        source = .official(request)
        return
      }
      try request.requireOwnPage()
      source = .path(
        try request.absolutePath("path"), hash: request.wire.object("hash") ?? JSONObject())
    }
  }

  static func run(
    _ request: Request, with exports: Exports
  ) async throws -> OutgoingReply {
    switch request.source {
    case .official(let call):
      return try await OfficialExportCall.answer(call) { call throws(APIError) in
        try await call.load(exports)
      }
    case .path(let path, let hash):
      return try await load(path, into: request.project, hash: hash, exports: exports)
    }
  }

  private static func load(
    _ path: String, into project: String, hash: JSONObject, exports: Exports
  ) async throws -> OutgoingReply {
    let report = try await exports.onFiles {
      let report = try await exports.importAll(path, into: project, hash: hash)
      // A request for an import fails without one; a start goes on with a warning.
      guard report.isKnown else { throw ExportError("there is no export in \(path)") }
      return report
    }
    return ReplyWriter.json(
      .members([
        "imported": .int(Int64(report.accounts?.imported ?? 0)),
        "documents": report.documents.map { .int(Int64($0)) },
        "note": report.accounts?.passwordNote(
          isReadable: exports.server.exportsReadablePasswords(of: project)
        ).json,
        "refusals": .strings(report.accounts?.refusals ?? []),
      ]))
  }
}
