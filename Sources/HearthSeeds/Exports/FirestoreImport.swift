import HearthErrors
import HearthExports
import HearthFirestore
import HearthTime

/// Called with the number of documents that were read so far, and of bytes.
package typealias ImportProgress = @Sendable (_ documents: Int, _ bytes: Int) -> Void

/// Reads an export of Firestore.
struct FirestoreImport {
  let firestore: Firestore
  /// The project that the documents go to, whatever project is in their keys.
  let project: String
  /// Takes the documents of this database only; nil for those of all.
  var database: String?
  var progress: ImportProgress = { _, _ in }

  /// Stages everything. While a batch is written, the next one is read, and two threads prepare its
  /// documents.
  ///
  /// - Throws: what is wrong with the export, after which nothing is staged.
  func stage(_ metadata: String) async throws -> BulkWriter {
    let reader = try RecordSource(metadata)
    let writer = BulkWriter(firestore)
    do {
      var batch = try await prepared(from: reader)
      while !batch.isEmpty {
        async let following = prepared(from: reader)
        if let index = try await writer.add(batch.map(\.document)) {
          _ = try? await following
          throw batch[index].entry.fault("the export already has a document of that name")
        }
        batch = try await following
        progress(await writer.count, await reader.bytes)
      }
    } catch {
      try? await writer.discard()
      throw error
    }
    return writer
  }

  /// The next documents; none at the end.
  private func prepared(from reader: RecordSource) async throws -> [PreparedDocument] {
    let preparation = DocumentPreparation(project: project, database: database)
    while let records = try await reader.next() {
      let (first, second) = (
        records.prefix(records.count / 2), records.dropFirst(records.count / 2)
      )
      async let later = preparation.documents(of: second)
      let documents = try preparation.documents(of: first) + (try await later)
      // There may be others of the database that is wanted.
      if !documents.isEmpty { return documents }
    }
    return []
  }
}

/// The records of an export, batch by batch. An actor, because it reads while others work. It owns
/// the open file, and holds one batch at a time.
private actor RecordSource {
  /// Bytes of a batch; prepared documents take several times as many.
  private static let most = 512 << 10
  private static let mostRecords = 2000

  private var reader: FirestoreExportReader
  /// Bytes of all records that were read.
  private(set) var bytes = 0

  init(_ metadata: String) throws { reader = try FirestoreExportReader(metadata) }

  /// Nil at the end.
  func next() throws -> [FirestoreExportReader.Entry]? {
    var batch: [FirestoreExportReader.Entry] = []
    var room = Self.most
    while room > 0, batch.count < Self.mostRecords, let entry = try reader.entry() {
      room -= entry.record.bytes.count
      batch.append(entry)
    }
    bytes += Self.most - room
    return batch.isEmpty ? nil : batch
  }
}

private typealias PreparedDocument = (entry: RecordPlace, document: BulkDocument)

/// Where a document was read.
private struct RecordPlace: Sendable {
  let file: String
  let record: Int
  let offset: Int

  func fault(_ words: String) -> ExportError {
    ExportError(file, record: record, byte: offset, words: words)
  }
}

/// Makes documents of records, on any thread.
private struct DocumentPreparation: Sendable {
  private let project: String
  private let database: String?
  private let own: String

  init(project: String, database: String?) {
    self.project = project
    self.database = database
    own = ExportedDocument.app(of: project)
  }

  func documents(
    of records: ArraySlice<FirestoreExportReader.Entry>
  ) throws -> [PreparedDocument] {
    var documents: [PreparedDocument] = []
    documents.reserveCapacity(records.count)
    for entry in records {
      let document = try entry.document()
      guard database == nil || document.database == database else { continue }
      let place = RecordPlace(
        file: entry.file, record: entry.record.number, offset: entry.record.offset)
      documents.append((place, try prepare(document, entry: entry)))
    }
    return documents
  }

  private func prepare(
    _ document: ExportedDocument, entry: FirestoreExportReader.Entry
  ) throws -> BulkDocument {
    let name = DatabaseName(project: project, database: document.database)
    do {
      return try BulkDocument(
        ResourcePath(name, segments: document.segments), fields: document.fields,
        origin: try origin(of: document, entry.record.bytes))
    } catch let error as APIError {
      throw entry.fault(error.message)
    } catch let error as ExportError {
      throw entry.fault(error.description)
    }
  }

  /// What of a record the document itself does not tell; nil where the document would be written
  /// just like that.
  ///
  /// Datastore has values that become plain ones here. To write the document again is the one sure
  /// way to find them.
  private func origin(
    of document: ExportedDocument, _ record: [UInt8]
  ) throws -> DocumentOrigin? {
    guard try EntityWriter.record(of: document) == record else { return .record(record) }
    return document.app == own ? nil : .app(document.app)
  }
}
