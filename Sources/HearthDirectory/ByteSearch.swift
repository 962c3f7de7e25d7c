import HearthIdentityToolkit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finds a text in many bytes. The C library looks for the byte of the text that is the rarest there.
struct ByteSearch {
  private let sought: [UInt8]
  private let bytes: UnsafeRawBufferPointer
  /// The place of the rarest byte in the text.
  private let pivot: Int

  /// The text has a byte at least.
  init(_ sought: [UInt8], in bytes: UnsafeRawBufferPointer) {
    self.sought = sought
    self.bytes = bytes
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes.prefix(1 << 16) { counts[Int(byte)] += 1 }
    pivot = sought.indices.min { counts[Int(sought[$0])] < counts[Int(sought[$1])] } ?? 0
  }

  /// Where it is for the first time from that offset on.
  func next(from position: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var start = position
    while start + sought.count <= bytes.count {
      let from = base + start + pivot
      let room = bytes.count - start - sought.count + 1
      guard let found = memchr(from, Int32(sought[pivot]), room) else { return nil }
      start += UnsafeRawPointer(found) - from
      if memcmp(base + start, sought, sought.count) == 0 { return start }
      start += 1
    }
    return nil
  }
}
