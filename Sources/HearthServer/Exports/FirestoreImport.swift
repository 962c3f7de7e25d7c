import HearthErrors
import HearthExports
import HearthFirestore
import HearthTime

/// Called with the number of documents that were read so far, and of bytes.
typealias ImportProgress = @Sendable (_ documents: Int, _ bytes: Int) -> Void

/// Reads an export of Firestore.
struct FirestoreImport {
  let firestore: Firestore
  /// The project that the documents go to, whatever project is in their keys.
  let project: String
  /// Takes the documents of this database only; nil for those of all.
  var database: String?
  var progress: ImportProgress = { _, _ in }

  /// Stages everything. While a batch is written, the next one is read.
  ///
  /// - Throws: what is wrong with the export, after which nothing is staged.
  func stage(_ metadata: String) async throws -> BulkWriter {
    let reader = try DocumentSource(metadata, project: project, database: database)
    let writer = BulkWriter(firestore)
    do {
      var batch = try await reader.next()
      while !batch.isEmpty {
        async let following = reader.next()
        if let index = try await writer.add(batch.map(\.document)) {
          _ = try? await following
          throw batch[index].entry.fault("the export has a document of that name already")
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
}

/// The documents of an export, batch by batch.
private actor DocumentSource {
  typealias Read = (entry: Place, document: BulkDocument)

  /// Where a document was read.
  struct Place: Sendable {
    let file: String
    let record: Int
    let offset: Int

    func fault(_ words: String) -> ExportError {
      ExportError(file, record: record, byte: offset, words)
    }
  }

  /// About the memory that a batch takes.
  private static let most = 2 << 20
  private static let mostDocuments = 2000

  private var reader: FirestoreExportReader
  private let project: String
  private let database: String?
  private let own: String
  private(set) var bytes = 0

  init(_ metadata: String, project: String, database: String?) throws {
    reader = try FirestoreExportReader(metadata)
    self.project = project
    self.database = database
    own = ExportedDocument.app(of: project)
  }

  /// The next documents; none at the end.
  func next() throws -> [Read] {
    var batch: [Read] = []
    var room = Self.most
    while room > 0, batch.count < Self.mostDocuments, let entry = try reader.entry() {
      let document = try entry.document()
      bytes += entry.record.bytes.count
      guard database == nil || document.database == database else { continue }
      let read = try prepare(document, entry)
      room -= read.bytes
      let place = Place(
        file: entry.file, record: entry.record.number, offset: entry.record.offset)
      batch.append((place, read))
    }
    return batch
  }

  private func prepare(
    _ document: ExportedDocument, _ entry: FirestoreExportReader.Entry
  ) throws -> BulkDocument {
    let name = DatabaseName(project: project, database: document.database)
    do {
      return try BulkDocument(
        ResourcePath(name, document.segments), document.fields,
        origin: try origin(of: document, entry.record.bytes))
    } catch let error as APIError {
      throw entry.fault(error.message)
    } catch let error as ExportError {
      throw entry.fault(error.description)
    }
  }

  /// Nil where the document would be written just like that.
  private func origin(
    of document: ExportedDocument, _ record: [UInt8]
  ) throws -> DocumentOrigin? {
    guard try EntityWriter.record(of: document) == record else { return .record(record) }
    return document.app == own ? nil : .app(document.app)
  }
}
