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
  static func run(
    _ request: ServerRequest, with exports: Exports
  ) async throws -> OutgoingReply {
    if request.wire.has("exportDirectory") {
      return try await OfficialExportCall.answer(request) { call throws(APIError) in
        try await call.load(exports)
      }
    }
    try request.requireOwnPage()
    let path = try request.absolutePath("path")
    let hash = request.wire.object("hash") ?? JSONObject()
    let project = request.project
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
