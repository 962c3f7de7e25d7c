package import HearthErrors
import HearthExports
package import HearthFirestore
import HearthIdentityToolkit
package import HearthOperations
package import HearthSQLite
package import HearthWire

/// Exports and imports of whole projects, for endpoints and for the start and the end of the
/// server.
///
/// A value of references. Its methods read and write files and take long, so they may not run on an
/// event loop (record 0037). Exports see to that by themselves; for imports, endpoints use
/// ``onFiles(_:)``.
package struct Exports: Sendable {
  /// Whose data an export holds.
  package enum Target: String, Sendable, CaseIterable {
    case auth, firestore
  }

  package let store: Store
  package let server: ServerFacts
  package let firestore: Firestore
  /// Where the relative directories of the official call lie; nil where they are refused.
  package let relativeBelow: String?

  package init(
    _ store: Store, server: ServerFacts, firestore: Firestore, relativeBelow: String?
  ) {
    self.store = store
    self.server = server
    self.firestore = firestore
    self.relativeBelow = relativeBelow
  }

  /// Writes a project's data to a directory in the official tool suite's layout. The directory is
  /// made with its parents. One that is there keeps its old export when this one fails, and the
  /// folders of other services in any case.
  ///
  /// - Throws: INVALID_ARGUMENT with what is wrong with the directory.
  package func exportAll(
    of project: String, to directory: String, targets: Set<Target> = [.auth, .firestore]
  ) async throws(APIError) {
    try await onFiles {
      try Directories.check(directory)
      guard Directories.plain(directory) != "/" else {
        throw ExportError("cannot export to /: it is not a directory of an export")
      }
      try FolderExport(exports: self, project: project, targets: targets).write(to: directory)
    }
  }

  /// Writes the accounts of a project to a file, as `firebase auth:export` does.
  ///
  /// - Returns: how many they are.
  package func exportAccounts(
    of project: String, to file: String, as format: String?
  ) async throws(APIError) -> Int {
    let format = try AccountList.Format(format, of: file)
    return try await onFiles {
      try AccountList(store: store, server: server, projectId: project).write(to: file, as: format)
    }
  }

  /// Writes the documents of one database, as the Firestore emulator does: a folder of that name in
  /// a directory that is there.
  package func exportFirestore(
    _ database: DatabaseName, to directory: String, named name: String
  ) async throws(APIError) {
    try await onFiles {
      try Directories.check(directory + name)
      try FirestoreExport(firestore: firestore, clocks: server.clocks)
        .write(database.project, database: database.database, to: directory, named: name)
    }
  }

  /// Reads an export's directory, or a file of accounts. Either everything is taken over that can
  /// be, or nothing. A path that holds no export changes nothing, and the report says so.
  package func importAll(
    _ path: String, into project: String, hash: JSONObject = JSONObject(),
    progress: @escaping ImportProgress = { _, _ in }
  ) async throws -> ImportReport {
    try Directories.check(path)
    let accounts = try AccountImporter(store, server: server, projectId: project, hash: hash)
    let source = try ImportSource(path)
    // Before anything is staged: a mistake in the small file should not cost the reading of a large
    // one.
    if source.hasAccounts { try accounts.check(path) }
    var report = ImportReport(isKnown: source.isKnown)
    var staged: BulkWriter?
    if let metadata = source.firestore {
      staged = try await FirestoreImport(
        firestore: firestore, project: project, progress: progress
      ).stage(metadata)
    }
    // The documents are in the store by now, where no request can name them.
    report.documents = await staged?.count
    try await whole(of: project, staged: staged) { journal in
      if source.hasAccounts { report.accounts = try accounts.read(path, journal: journal) }
    }
    return report
  }

  /// Runs the body, which imports accounts and settings, and then lets staged documents appear.
  /// Where it fails, or the process is killed, nothing of it stays.
  ///
  /// The accounts are written in many transactions, and the journal knows how to undo them. The
  /// transaction that closes the journal is the one in which the documents appear, so there is no
  /// moment with one and without the other.
  package func whole(
    of project: String, staged: BulkWriter?, body: (ImportJournal) throws -> Void
  ) async throws {
    let journal: ImportJournal
    do {
      journal = try .begin(store, server: server, projectId: project)
    } catch {
      try? await staged?.discard()
      throw error
    }
    do {
      try body(journal)
      if let staged {
        try await staged.finish { transaction throws(APIError) in
          try journal.close(in: transaction)
        }
      } else {
        try store.transaction { transaction throws(APIError) in
          try journal.close(in: transaction)
        }
      }
    } catch {
      // The first error counts; what cannot be tidied up here is at the next start.
      try? await staged?.discard()
      try? journal.undo()
      throw error
    }
    try? journal.forget()
  }

  /// Reads one database of an export of Firestore.
  package func importFirestore(_ metadata: String, into database: DatabaseName) async throws {
    try Directories.check(metadata)
    let staged = try await FirestoreImport(
      firestore: firestore, project: database.project, database: database.database
    ).stage(metadata)
    try await staged.finish()
  }

  /// Runs the body on the bounded threads for files.
  ///
  /// - Throws: an error with the status 503 where no place is free, INVALID_ARGUMENT for what is
  ///   wrong with a file.
  package func onFiles<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws(APIError) -> Value {
    let result = try await server.files.run { () async throws(APIError) in
      do {
        return try await body()
      } catch let error as APIError {
        throw error
      } catch let error as ExportError {
        throw APIError(.invalidArgument, detail: error.description)
      } catch {
        throw APIError(.internalError, detail: "\(error)")
      }
    }
    return result
  }
}
