import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads an export of Firestore, record by record: all of its output files, in their order.
package struct FirestoreExportReader {
  /// A record, and the file it is in.
  package struct Entry: Sendable {
    package let record: LogRecord
    package let file: String

    /// What is wrong with it.
    package func fault(_ words: String) -> ExportError {
      ExportError(file, record: record.number, byte: record.offset, words: words)
    }

    package func document() throws(ExportError) -> ExportedDocument {
      do {
        return try EntityReader.document(record.bytes)
      } catch let error as ExportError {
        throw fault(error.description)
      } catch {
        throw fault("\(error)")
      }
    }
  }

  private let files: [String]
  private var next = 0
  private var current: (path: String, log: LogReader)?

  /// Opens the file `*.overall_export_metadata`, and what it points to.
  package init(_ path: String) throws {
    var log = try LogReader(path)
    guard let version = try log.next(), version.bytes == FirestoreFolder.version else {
      throw ExportError("\(path): the version of the export is not known")
    }
    guard let record = try log.next() else { throw ExportError("\(path) ends after its version") }
    guard let overall = try? WireOverallExportMetadata(serializedBytes: record.bytes) else {
      throw ExportError(
        path, record: record.number, byte: record.offset, words: "it cannot be read")
    }
    guard try log.next() == nil else { throw ExportError("\(path) has more than two records") }
    let folder = Self.folder(of: path)
    files = try overall.pointers.flatMap { pointer in
      try Self.outputs(try Self.join(folder, file: pointer.metadataFile, in: path))
    }
    for file in files { _ = try RegularFile.open(file) }
  }

  private static func outputs(_ path: String) throws -> [String] {
    guard let data = try RegularFile.contents(path) else {
      throw ExportError("not found: \(path)")
    }
    guard let metadata = try? WireExportMetadata(serializedBytes: data) else {
      throw ExportError("\(path) is not the metadata of an export")
    }
    let folder = folder(of: path)
    return try metadata.outputs.flatMap(\.files).map { try join(folder, file: $0, in: path) }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// A path that leads out of the folder is refused: an export may come from a stranger.
  private static func join(_ folder: String, file: String, in path: String) throws -> String {
    guard !file.isEmpty, !file.hasPrefix("/"), !file.split(separator: "/").contains("..") else {
      throw ExportError("\(path): '\(file)' is not inside the export")
    }
    return folder + "/" + file
  }

  /// The next record; nil at the end.
  package mutating func entry() throws -> Entry? {
    while true {
      if let record = try current?.log.next(), let path = current?.path {
        return Entry(record: record, file: path)
      }
      guard next < files.count else { return nil }
      current = (files[next], try LogReader(files[next]))
      next += 1
    }
  }
}
