#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension String {
  /// Whether both are the same text to the letter, as other languages and the store compare. `==`
  /// also takes canonically equivalent texts for equal, such as "ä" and "a" with a combining mark.
  package func hasSameBytes(as other: String) -> Bool {
    // Asked for nearly every field of every request: the length says no most of the time.
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        guard let left = left.baseAddress, let start = right.baseAddress else { return true }
        return memcmp(left, start, right.count) == 0
      }
    }
    return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }
}
