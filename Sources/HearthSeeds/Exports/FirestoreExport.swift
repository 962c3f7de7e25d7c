import HearthErrors
import HearthExports
import HearthFirestore
import HearthTime

/// Writes the documents of a project as an export folder, page by page: memory does not grow with
/// their number.
struct FirestoreExport {
  let firestore: Firestore
  let clocks: ProjectClocks

  /// Writes an export of Firestore only. It replaces an earlier one of that name.
  func write(
    _ project: String, database: String, to directory: String, named name: String
  ) throws {
    try Directories.writing(to: directory + "/" + name) {
      // Held to the end of the closure, though nothing reads it: another export into this directory
      // waits.
      let lock = DirectoryLock(directory)
      defer { withExtendedLifetime(lock) {} }
      let partial = DirectorySwap.partial(of: directory + "/" + name)
      // What a killed run has left.
      Directories.remove(partial)
      try Directories.make(partial)
      defer { Directories.remove(partial) }
      try fill(partial, project: project, database: database, named: name) { _ in }
      try DirectorySwap.put(partial + "/" + name, inPlaceOf: directory + "/" + name)
    }
  }

  /// Writes the folder of that name into another one.
  ///
  /// Where documents change while they are read, the store's scan starts again, and so does the
  /// file.
  func fill(
    _ parent: String, project: String, database: String?, named name: String,
    progress: (Int) -> Void
  ) throws {
    let folder = parent + "/" + name
    func open() throws -> FirestoreExportWriter {
      try FirestoreExportWriter(
        // The time of the project, which a test may have set.
        folder: folder, name: name, start: clocks.microseconds(of: project))
    }
    var writer = try open()
    let own = ExportedDocument.app(of: project)
    try firestore.scan(project, database: database) {
      Directories.remove(folder)
      writer = try open()
    } visit: { documents in
      for document in documents { try writer.append(try Self.record(of: document, own)) }
      progress(writer.count)
    }
    try writer.finish(end: clocks.microseconds(of: project))
  }

  /// An imported document that nobody has written to since is the record that it was, byte by byte.
  private static func record(of document: ScannedDocument, _ own: String) throws -> [UInt8] {
    let app: String
    switch document.origin {
    case .record(let bytes): return bytes
    case .app(let known): app = known
    case nil: app = own
    }
    return try EntityWriter.record(
      of: ExportedDocument(
        app: app, database: document.database, segments: document.segments,
        fields: try document.fields()))
  }
}
