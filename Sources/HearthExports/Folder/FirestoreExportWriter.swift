import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes an export of Firestore into a new folder: the documents, and at the end the metadata.
package final class FirestoreExportWriter {
  private let folder: String
  private let name: String
  /// Microseconds.
  private let start: Int64
  private var output: LogWriter?
  package private(set) var count = 0

  /// The folder of that path is made; an export's files are named after it.
  package init(folder: String, name: String, start: Int64) throws {
    self.folder = folder
    self.name = name
    self.start = start
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  package func append(_ record: [UInt8]) throws {
    try file().append(record)
    count += 1
  }

  private func file() throws -> LogWriter {
    if let output { return output }
    let entities = folder + "/" + FirestoreFolder.entities
    try FileManager.default.createDirectory(
      atPath: entities, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let made = try LogWriter(entities + "/" + FirestoreFolder.output)
    output = made
    return made
  }

  /// Ends the export. One without documents has a single file.
  package func finish(end: Int64) throws {
    var overall = WireOverallExportMetadata()
    if let output {
      try output.close()
      let file = FirestoreFolder.entities + "/" + FirestoreFolder.entitiesMetadata
      try FileWriter.write(try metadata(end), to: folder + "/" + file)
      var pointer = WireExportPointer()
      pointer.entitySet.kindType = 2
      pointer.entitySet.namespaceType = 3
      pointer.metadataFile = file
      pointer.entities = Int64(count)
      pointer.bytes = Int64(output.count)
      overall.pointers = [pointer]
    }
    let log = try LogWriter(folder + "/" + FirestoreFolder.metadata(of: name))
    try log.append(FirestoreFolder.version)
    try log.append(try overall.serializedBytes())
    try log.close()
  }

  private func metadata(_ end: Int64) throws -> [UInt8] {
    var metadata = WireExportMetadata()
    metadata.run.name = name
    metadata.run.startTime = start
    metadata.run.endTime = end
    var output = WireExportOutput()
    output.entitySet = Data()
    output.files = [FirestoreFolder.output]
    metadata.outputs = [output]
    return try metadata.serializedBytes()
  }
}
