import HearthCrypto
package import HearthFirestoreProtos
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A Bloom filter of the names of documents, from which a client can tell which of its documents are
/// gone. Its hashes are the sums of the two halves of an MD5 digest, as
/// [the message](https://cloud.google.com/firestore/docs/reference/rpc/google.firestore.v1#bloomfilter)
/// demands.
package struct NameFilter {
  /// Of more names no filter is made: the client asks again for all documents.
  private static let most = 50_000
  /// One name in ten thousand that is gone looks as if it were there.
  private static let bitsOfEach = 19.17
  /// The number of hashes with the fewest false matches at that size: its size in bits for each
  /// name, times ln 2.
  private static let usualHashes = 13

  /// In bits; not always a multiple of eight.
  private let size: UInt64
  private let hashes: Int
  private var bitmap: [UInt8]

  package init(bits: Int, hashes: Int) {
    size = UInt64(bits)
    self.hashes = hashes
    bitmap = Array(repeating: 0, count: (bits + 7) / 8)
  }

  /// Inserts the full name of a document, `projects/…/documents/…`, as UTF-8.
  package mutating func insert(_ name: String) {
    let digest = Digest.md5.hash(Array(name.utf8))
    let first = Self.number(digest[..<8])
    let second = Self.number(digest[8...])
    for hash in 0..<UInt64(hashes) {
      // Overflow wraps, as clients compute with unsigned integers of 64 bits.
      let bit = (first &+ hash &* second) % size
      bitmap[Int(bit / 8)] |= 1 << UInt8(bit % 8)
    }
  }

  /// Little-endian.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  package var message: Google_Firestore_V1_BloomFilter {
    .with {
      $0.bits.bitmap = Data(bitmap)
      $0.bits.padding = Int32(bitmap.count * 8 - Int(size))
      $0.hashCount = Int32(hashes)
    }
  }

  /// The filter of some names; one without bits where there are none, or too many.
  static func message(of names: some Collection<String>) -> Google_Firestore_V1_BloomFilter {
    guard !names.isEmpty, names.count <= most else { return .init() }
    let bits = (Double(names.count) * bitsOfEach).rounded(.up)
    var filter = NameFilter(bits: Int(bits), hashes: usualHashes)
    for name in names { filter.insert(name) }
    return filter.message
  }
}
