import Foundation
import HearthExports
import Testing

@Suite struct `Log files` {
  @Test func `Checksums are those of the format`() throws {
    // The first record of every export: one character, with a masked checksum.
    try Folder.temporary { folder in
      let path = folder + "/log"
      let writer = try LogWriter(path)
      try writer.append(Array("3".utf8))
      try writer.append([])
      try writer.close()
      let bytes = try #require(FileManager.default.contents(atPath: path))
      #expect(
        Array(bytes) == [
          0xB8, 0x6D, 0x44, 0x4E, 1, 0, 1, 0x33, 0x05, 0x2B, 0x28, 0x43, 0, 0, 1,
        ])
    }
  }

  /// Sizes about which a block ends: in a record, in a header, just before and just after one.
  @Test(arguments: Array(32_740...32_780) + [0, 1, 100, 65_521, 65_522, 65_523, 300_000])
  func `Records of every size come back`(size: Int) throws {
    try Folder.temporary { folder in
      let path = folder + "/log"
      let records = [
        [UInt8](repeating: 7, count: size), Array("between".utf8),
        (0..<size).map { UInt8(truncatingIfNeeded: $0) }, [],
      ]
      let writer = try LogWriter(path)
      for record in records { try writer.append(record) }
      try writer.close()
      var reader = try LogReader(path)
      for (index, record) in records.enumerated() {
        let read = try #require(try reader.next())
        #expect(read.bytes == record)
        #expect(read.number == index + 1)
      }
      #expect(try reader.next() == nil)
    }
  }

  @Test func `A file may end with zeros`() throws {
    try Folder.temporary { folder in
      let path = folder + "/log"
      let writer = try LogWriter(path)
      try writer.append(Array("3".utf8))
      try writer.close()
      var bytes = try #require(FileManager.default.contents(atPath: path))
      bytes.append(Data(count: 32_768 - bytes.count))
      try bytes.write(to: URL(filePath: path))
      var reader = try LogReader(path)
      #expect(try reader.next()?.bytes == Array("3".utf8))
      #expect(try reader.next() == nil)
    }
  }

  @Test func `A file that is cut is refused, with the record and the byte`() throws {
    try Folder.temporary { folder in
      let path = folder + "/log"
      let writer = try LogWriter(path)
      try writer.append(Array("first".utf8))
      try writer.append([UInt8](repeating: 1, count: 40_000))
      try writer.close()
      let whole = try #require(FileManager.default.contents(atPath: path))
      for length in stride(from: 13, to: whole.count, by: 997) {
        try whole.prefix(length).write(to: URL(filePath: path))
        var reader = try LogReader(path)
        #expect(try reader.next()?.bytes == Array("first".utf8))
        do {
          _ = try reader.next()
          Issue.record("\(length) bytes were read")
        } catch let error as ExportError {
          #expect(error.description.contains("record 2 at byte 12"), "\(length): \(error)")
        }
      }
    }
  }

  @Test func `A changed byte is noticed`() throws {
    try Folder.temporary { folder in
      let path = folder + "/log"
      let writer = try LogWriter(path)
      try writer.append(Array("first".utf8))
      try writer.close()
      var bytes = try #require(FileManager.default.contents(atPath: path))
      bytes[9] ^= 0x20
      try bytes.write(to: URL(filePath: path))
      var reader = try LogReader(path)
      #expect {
        _ = try reader.next()
      } throws: {
        "\($0)".hasSuffix("record 1 at byte 0: its checksum does not match")
      }
    }
  }
}

/// Folders of a test's own.
enum Folder {
  static func temporary<Value>(_ body: (String) throws -> Value) throws -> Value {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "hearth-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  static func temporary<Value: Sendable>(
    _ body: (String) async throws -> Value
  ) async throws -> Value {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "hearth-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }
}
