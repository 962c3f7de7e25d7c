package import HearthErrors

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A document that is ready to be written: checked, encoded, and with its index keys. To make one
/// takes longer than to write it, and needs no store.
package struct BulkDocument: Sendable {
  let path: ResourcePath
  let data: Data
  let keys: [[UInt8]]
  let origin: DocumentOrigin?

  package init(
    _ path: ResourcePath, fields: Fields, origin: DocumentOrigin? = nil
  ) throws(APIError) {
    guard path.isDocument else { throw .invalid("\"\(path.text)\" is not a document.") }
    for segment in path.segments { try ResourcePath.check(segment) }
    try path.checkLength()
    let stored = try ValueCheck.stored(fields)
    try DocumentSize.check(stored, of: path)
    do { data = Data(try StoredDocument.data(of: stored)) } catch {
      throw .invalid("The document cannot be encoded.")
    }
    self.path = path
    self.origin = origin
    keys = IndexEntries.list(of: stored, document: path.id)
  }

  /// About the memory that it takes.
  package var bytes: Int { data.count + keys.reduce(200) { $0 + $1.count + 40 } }
}

/// What an export needs to write a document as it was imported, until the document is written to.
package enum DocumentOrigin: Sendable, Equatable {
  /// The record itself, which is not how it would be written here.
  case record([UInt8])
  /// The application in its key; the rest is as it would be written here.
  case app(String)
}
