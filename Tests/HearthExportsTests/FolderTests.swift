import Foundation
import HearthExports
import SwiftProtobuf
import Testing

/// Exports as production writes them: several sets of documents, several files of each.
@Suite struct `Folders` {
  private static let overall = "/x.overall_export_metadata"

  /// Writes the files of each set, and what points to them.
  private static func write(_ sets: [[[[UInt8]]]], to folder: String) throws {
    var overall = WireOverallExportMetadata()
    for (index, files) in sets.enumerated() {
      let name = "all_namespaces/kind_\(index)"
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      var metadata = WireExportMetadata()
      for (number, records) in files.enumerated() {
        let log = try LogWriter("\(folder)/\(name)/output-\(number)")
        for record in records { try log.append(record) }
        try log.close()
        // One output may have several files, and there may be several outputs.
        if number % 2 == 0 { metadata.outputs.append(WireExportOutput()) }
        metadata.outputs[metadata.outputs.count - 1].files.append("output-\(number)")
      }
      try metadata.serializedData().write(to: URL(filePath: "\(folder)/\(name)/m"))
      var pointer = WireExportPointer()
      pointer.metadataFile = "\(name)/m"
      overall.pointers.append(pointer)
    }
    try write(overall, to: folder)
  }

  private static func write(_ overall: WireOverallExportMetadata, to folder: String) throws {
    let log = try LogWriter(folder + Self.overall)
    try log.append(Array("3".utf8))
    try log.append(try overall.serializedBytes())
    try log.close()
  }

  private static func records(of sample: String) throws -> [[UInt8]] {
    var reader = try FirestoreExportReader(try Sample(sample).metadata)
    var records: [[UInt8]] = []
    while let entry = try reader.entry() { records.append(entry.record.bytes) }
    return records
  }

  @Test func `All files of all sets are read, in their order`() throws {
    let first = try Self.records(of: "05-blocks")
    let second = try Self.records(of: "07-second-database")
    let middle = first.count / 2
    let files = [Array(first[..<middle]), [], Array(first[middle...])]
    try Folder.temporary { folder in
      try Self.write([files, [[]], [], [second]], to: folder)
      var reader = try FirestoreExportReader(folder + Self.overall)
      var read: [[UInt8]] = []
      var databases: Set<String> = []
      while let entry = try reader.entry() {
        read.append(entry.record.bytes)
        databases.insert(try entry.document().database)
      }
      #expect(read == first + second)
      #expect(databases == ["(default)", "second"])
    }
  }

  @Test(arguments: ["", "/etc/passwd", "../x", "a/../../x", "absent", "."])
  func `What leads nowhere is refused`(file: String) throws {
    try Folder.temporary { folder in
      var overall = WireOverallExportMetadata()
      var pointer = WireExportPointer()
      pointer.metadataFile = file
      overall.pointers = [pointer]
      try Self.write(overall, to: folder)
      #expect(throws: ExportError.self) { try FirestoreExportReader(folder + Self.overall) }
      var metadata = WireExportMetadata()
      var output = WireExportOutput()
      output.files = [file]
      metadata.outputs = [output]
      try metadata.serializedData().write(to: URL(filePath: folder + "/m"))
      overall.pointers[0].metadataFile = "m"
      try Self.write(overall, to: folder)
      #expect(throws: ExportError.self) { try FirestoreExportReader(folder + Self.overall) }
    }
  }
}
