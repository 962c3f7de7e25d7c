import Foundation
import HearthCrypto
import HearthExports
import HearthFirestore
import HearthFirestoreProtos
import HearthTestSupport
import HearthWire
import SwiftProtobuf
import Testing

@Suite struct `Records` {
  @Test(arguments: Sample.names)
  func `A sample has the documents that the official emulator shows`(name: String) throws {
    let sample = try Sample(name)
    var reader = try FirestoreExportReader(sample.metadata)
    var read: [String: JSON] = [:]
    while let entry = try reader.entry() {
      let document = try entry.document()
      let path = document.segments.joined(separator: "/")
      let name = "projects/\(sample.project)/databases/\(document.database)/documents/\(path)"
      read[name] = try Sample.comparable(document.fields)
    }
    #expect(Set(read.keys) == Set(sample.documents.keys))
    for (name, document) in sample.documents where name != Self.withNegativeZero {
      #expect(read[name] == document, "\(name)")
    }
  }

  /// The official REST API shows -0.0 as 0.0 there.
  private static let withNegativeZero = ""

  @Test(arguments: Sample.names)
  func `A sample is written again byte for byte`(name: String) throws {
    let sample = try Sample(name)
    try Folder.temporary { folder in
      var reader = try FirestoreExportReader(sample.metadata)
      let writer = try FirestoreExportWriter(
        folder: folder + "/firestore_export", name: "firestore_export", start: 1)
      while let entry = try reader.entry() {
        let record = try EntityWriter.record(of: try entry.document())
        #expect(record == entry.record.bytes)
        try writer.append(record)
      }
      try writer.finish(end: 2)
      for file in ["firestore_export.overall_export_metadata", "all_namespaces/all_kinds/output-0"]
      {
        #expect(
          FileManager.default.contents(atPath: folder + "/firestore_export/" + file)
            == FileManager.default.contents(atPath: sample.export + "/" + file), "\(file)")
      }
    }
  }

  @Test(arguments: 0..<60)
  func `Random documents come back`(seed: Int) throws {
    var random = RandomDocument(seed: UInt64(seed))
    for _ in 0..<20 {
      let document = ExportedDocument(
        app: "dev~demo", database: random.random.chance(30) ? "second" : "(default)",
        segments: random.path(), fields: random.fields(depth: 0))
      let record = try EntityWriter.record(of: document)
      let read = try EntityReader.document(record)
      #expect(read.database == document.database)
      #expect(read.segments == document.segments)
      #expect(try Sample.comparable(read.fields) == Sample.comparable(document.fields))
      #expect(try EntityWriter.record(of: read) == record)
    }
  }

  /// A mutated record is read or refused, and what was read can be written.
  @Test(arguments: 0..<40)
  func `Broken records do no harm`(seed: Int) throws {
    var random = RandomDocument(seed: UInt64(seed) + 1000)
    for _ in 0..<60 {
      var record = try EntityWriter.record(
        of: ExportedDocument(
          app: "dev~demo", database: "(default)", segments: random.path(),
          fields: random.fields(depth: 0)))
      for _ in 0..<random.random.number(1...4) {
        let place = random.random.number(0...record.count - 1)
        switch random.random.number(0...2) {
        case 0: record[place] = UInt8(truncatingIfNeeded: random.random.next())
        case 1 where record.count > 1: record.remove(at: place)
        default: record.insert(UInt8(truncatingIfNeeded: random.random.next()), at: place)
        }
      }
      do {
        _ = try EntityWriter.record(of: try EntityReader.document(record))
      } catch is ExportError {
        continue
      }
    }
  }

  /// A broken file is read or refused, with its name.
  @Test(arguments: Sample.names)
  func `Broken files do no harm`(name: String) throws {
    let sample = try Sample(name)
    var random = SplitMix(seed: 7)
    for file in [sample.output, sample.metadata] {
      guard let whole = FileManager.default.contents(atPath: file) else { continue }
      for _ in 0..<40 {
        try Folder.temporary { folder in
          let copy = folder + "/e"
          try FileManager.default.copyItem(atPath: sample.export, toPath: copy)
          var bytes = whole
          for _ in 0..<random.number(1...3) {
            bytes[random.number(0...bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
          }
          if random.chance(20) { bytes.removeLast(random.number(1...bytes.count - 1)) }
          try bytes.write(to: URL(filePath: copy + file.dropFirst(sample.export.count)))
          do {
            var reader = try FirestoreExportReader(
              copy + "/firestore_export.overall_export_metadata")
            while let entry = try reader.entry() { _ = try entry.document() }
          } catch let error as ExportError {
            #expect(error.description.contains(copy), "\(error)")
          }
        }
      }
    }
  }

  @Test func `Maps have a depth`() throws {
    var fields: Fields = ["x": .with { $0.integerValue = 1 }]
    for _ in 0..<30 {
      let inner = fields
      fields = ["m": .with { $0.mapValue.fields = inner }]
    }
    let record = try EntityWriter.record(
      of: ExportedDocument(
        app: "dev~demo", database: "(default)", segments: ["a", "b"], fields: fields))
    #expect(throws: ExportError.self) { _ = try EntityReader.document(record) }
  }
}
