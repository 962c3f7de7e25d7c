import HTTPTypes
package import HearthErrors
import HearthExports
import HearthFirestore
import HearthOperations
package import HearthSeeds
import HearthTime
import HearthTransport
import HearthWire

/// An export or import as the official tools ask for it: `database`, `export_directory` and
/// `export_name`.
package struct OfficialExportCall: Sendable {
  private let databaseName: String
  private let exportDirectory: String
  private let exportName: String

  init(_ wire: WireRequest) {
    self.init(
      database: wire.string("database") ?? "",
      exportDirectory: wire.string("exportDirectory") ?? "",
      exportName: wire.string("exportName") ?? "")
  }

  package init(database: String, exportDirectory: String, exportName: String = "") {
    databaseName = database
    self.exportDirectory = exportDirectory
    self.exportName = exportName
  }

  /// Whether a request is of that kind, and not one of our own.
  static func isMade(by request: ServerRequest) -> Bool { request.wire.has("exportDirectory") }

  /// Answers like Firestore. Web pages are refused, whatever machine they are from.
  static func answer(
    _ request: ServerRequest, body: (OfficialExportCall) async throws(APIError) -> Void
  ) async throws -> OutgoingReply {
    do throws(APIError) {
      guard request.call.headers[.origin] == nil else { throw ServerRequest.pageRefusal }
      try await body(OfficialExportCall(request.wire))
    } catch {
      return ReplyWriter.refusal(error, as: .firestore)
    }
    return ReplyWriter.json([:])
  }

  package func export(_ exports: Exports) async throws(APIError) {
    try await exports.exportFirestore(
      try database(), to: try directory(exports), named: try name(exports.server.clock.now))
  }

  package func load(_ exports: Exports) async throws(APIError) {
    let database = try database()
    let file = try path(exports)
    try await exports.onFiles { try await exports.importFirestore(file, into: database) }
  }

  private func database() throws(APIError) -> DatabaseName {
    guard databaseName.hasPrefix("projects/") else {
      throw APIError(
        .invalidArgument,
        message: "Database name \"\(databaseName)\" lacks \"projects\" at index 0.")
    }
    return try DatabaseName(databaseName)
  }

  /// A file or directory: an absolute path, or one below the directory that allows it.
  private func path(_ exports: Exports) throws(APIError) -> String {
    guard !exportDirectory.isEmpty else { throw Self.refusal("export_directory is missing") }
    if exportDirectory.hasPrefix("/") { return exportDirectory }
    guard let below = exports.relativeBelow else {
      throw Self.refusal(
        "export_directory must be absolute, unless hearth runs with --allow-export-below DIR")
    }
    // The system would take the path up to this character only.
    guard !exportDirectory.utf8.contains(0) else {
      throw Self.refusal("export_directory has the character U+0000")
    }
    // Symbolic links may lead out, too.
    guard !exportDirectory.split(separator: "/").contains(".."),
      let place = Directories.resolved(below + "/" + exportDirectory),
      let root = Directories.resolved(below),
      place == root || place.hasPrefix(root == "/" ? root : root + "/")
    else {
      throw Self.refusal("export_directory leads out of the directory of --allow-export-below")
    }
    return place
  }

  private func directory(_ exports: Exports) throws(APIError) -> String {
    let path = try path(exports)
    guard Directories.exists(path) else {
      throw Self.refusal("export_directory must be a directory")
    }
    return path
  }

  private func name(_ now: Timestamp) throws(APIError) -> String {
    guard !exportName.isEmpty else { return "firestore_export_\(now.milliseconds / 1000)" }
    guard !exportName.utf8.contains(UInt8(ascii: "/")), !exportName.hasPrefix(".") else {
      throw Self.refusal("export_name must be the name of a folder")
    }
    return exportName
  }

  private static func refusal(_ message: String) -> APIError {
    APIError(.failedPrecondition, message: message)
  }
}
