import HearthErrors

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Index entries on their way to the table: sorted, they change one page after the other.
struct BulkEntries {
  private struct Entry {
    let collection: Int64
    let document: Int64
    let start: Int
    let count: Int
  }

  /// How many bytes of keys are kept before they are written.
  private static let most = 24 << 20
  /// How many are written while nobody else is served.
  private static let slice = 4000

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  var isFull: Bool { bytes.count >= Self.most }

  mutating func add(_ keys: [[UInt8]], of document: Int64, in collection: Int64) {
    for key in keys {
      entries.append(
        Entry(collection: collection, document: document, start: bytes.count, count: key.count))
      bytes += key
    }
  }

  /// Writes them all, in slices, each with a call of the closure.
  mutating func drain(
    _ write: ([(collection: Int64, key: Data, document: Int64)]) throws(APIError) -> Void
  ) throws(APIError) {
    sort()
    var rest = entries[...]
    while !rest.isEmpty {
      let slice = rest.prefix(Self.slice)
      rest = rest.dropFirst(slice.count)
      try write(
        slice.map { entry in
          (entry.collection, Data(bytes[entry.start..<entry.start + entry.count]), entry.document)
        })
    }
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func sort() {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      entries.sort { left, right in
        guard left.collection == right.collection else { return left.collection < right.collection }
        let order = memcmp(base + left.start, base + right.start, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
      }
    }
  }
}
