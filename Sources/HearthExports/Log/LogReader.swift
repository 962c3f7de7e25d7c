#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A record of a log file.
package struct LogRecord: Sendable {
  package let bytes: [UInt8]
  /// Its number in the file, from 1.
  package let number: Int
  /// Where in the file it begins.
  package let offset: Int
}

/// Reads the records of a log file, one after the other.
package struct LogReader {
  /// A document has at most 1 MiB. Long field names come with each element of an array, so that a
  /// record may have more.
  private static let largest = 64 << 20

  private let path: String
  private let file: OpenFile
  private var block: [UInt8] = []
  /// The place in the block.
  private var place = 0
  /// Where in the file the block begins.
  private var start = 0
  private var count = 0
  /// Where the record begins that is being read.
  private var recordStart = 0

  package init(_ path: String) throws {
    self.path = path
    file = try RegularFile.open(path)
  }

  /// The next record; nil at the end.
  package mutating func next() throws -> LogRecord? {
    guard let first = try fragment(isFirst: true) else { return nil }
    count += 1
    recordStart = first.offset
    switch first.type {
    case .full: return LogRecord(bytes: Array(first.payload), number: count, offset: first.offset)
    case .first: break
    case .middle, .last:
      throw fault(first.offset, words: "it goes on with a record that has not begun")
    }
    var bytes = Array(first.payload)
    while true {
      guard let next = try fragment(isFirst: false) else {
        throw fault(first.offset, words: "the file ends within it")
      }
      guard next.type == .middle || next.type == .last else {
        throw fault(first.offset, words: "another record begins within it, at byte \(next.offset)")
      }
      bytes += next.payload
      guard bytes.count <= Self.largest else {
        throw fault(first.offset, words: "it has more than \(Self.largest >> 20) MiB")
      }
      if next.type == .last {
        return LogRecord(bytes: bytes, number: count, offset: first.offset)
      }
    }
  }

  private typealias Fragment = (type: LogFormat.Fragment, payload: ArraySlice<UInt8>, offset: Int)

  private mutating func fragment(isFirst: Bool) throws -> Fragment? {
    while true {
      let offset = start + place
      if block.count - place < LogFormat.header {
        let rest = block[place...]
        guard rest.allSatisfy({ $0 == 0 }) else {
          throw fault(offset, words: "the file ends within its header", ofNext: isFirst)
        }
        guard try readBlock() else { return nil }
        continue
      }
      let checksum =
        UInt32(block[place]) | UInt32(block[place + 1]) << 8
        | UInt32(block[place + 2]) << 16 | UInt32(block[place + 3]) << 24
      let length = Int(block[place + 4]) | Int(block[place + 5]) << 8
      let begin = place + LogFormat.header
      // The rest of a block may be filled with zeros.
      if checksum == 0, length == 0, block[place + 6] == 0 {
        guard block[place...].allSatisfy({ $0 == 0 }) else {
          throw fault(offset, words: "it has no type", ofNext: isFirst)
        }
        place = block.count
        continue
      }
      guard begin + length <= block.count else {
        let isCut = block.count < LogFormat.block
        let words = isCut ? "the file ends within it" : "it is longer than its block"
        throw fault(offset, words: words, ofNext: isFirst)
      }
      guard let type = LogFormat.Fragment(rawValue: block[place + 6]) else {
        throw fault(offset, words: "its type \(block[place + 6]) is not known", ofNext: isFirst)
      }
      let payload = block[begin..<begin + length]
      guard CRC32C.masked(CRC32C.ofFragment(type: type.rawValue, payload)) == checksum else {
        throw fault(offset, words: "its checksum does not match", ofNext: isFirst)
      }
      place = begin + length
      return (type, payload, offset)
    }
  }

  private mutating func readBlock() throws -> Bool {
    start += block.count
    place = 0
    do {
      block = [UInt8](try file.read(upToCount: LogFormat.block) ?? Data())
    } catch {
      throw ExportError("cannot read \(path)")
    }
    return !block.isEmpty
  }

  private func fault(_ offset: Int, words: String, ofNext: Bool = false) -> ExportError {
    ExportError(
      path, record: count + (ofNext ? 1 : 0), byte: ofNext ? offset : recordStart, words: words)
  }
}
