import HearthCrypto
import HearthExports
import HearthIdentityToolkit
import HearthWire

/// The ids that an import has had so far. One that appears twice is a mistake of the whole import:
/// nobody can say which of the two accounts is meant. The official importer refuses it, too.
struct AccountIds {
  /// The beginning of a digest, so that a million of them take little memory.
  private struct Fingerprint: Hashable {
    let first: UInt64
    let second: UInt64
  }

  private var known: Set<Fingerprint> = []

  /// Accounts without an id are left out for that, one by one.
  mutating func add(_ user: JSON, of tenantId: String?, in path: String, number: Int) throws {
    guard let localId = (user["localId"]?.string).nonEmpty else { return }
    let digest = Digest.sha256.hash(Array("\(tenantId ?? "")\0\(localId)".utf8))
    let fingerprint = Fingerprint(
      first: Self.number(digest[..<8]), second: Self.number(digest[8..<16]))
    guard known.insert(fingerprint).inserted else {
      throw ExportError("\(path), user \(number): the localId '\(localId)' appears twice")
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
