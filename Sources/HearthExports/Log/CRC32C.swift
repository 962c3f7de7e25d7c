/// The Castagnoli checksum of log files. Eight bytes a step, with eight tables.
enum CRC32C {
  private static let polynomial: UInt32 = 0x82F6_3B78

  /// Table `n` has the remainders of a byte that `n` others follow.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var remainder = UInt32(byte)
      for _ in 0..<8 {
        remainder = remainder & 1 == 1 ? remainder >> 1 ^ polynomial : remainder >> 1
      }
      tables[byte] = remainder
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~(bytes.withContiguousStorageIfAvailable { update(~0, bytes: UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { update(~0, bytes: $0) })
  }

  /// The checksum of a fragment: of its type, and what it carries.
  static func ofFragment(type: UInt8, _ payload: ArraySlice<UInt8>) -> UInt32 {
    let start = tables.withUnsafeBufferPointer { UInt32.max >> 8 ^ $0[Int(0xFF ^ type)] }
    return ~payload.withUnsafeBytes { update(start, bytes: $0) }
  }

  /// As files hold it: a checksum of data that has checksums in it would be weak.
  static func masked(_ checksum: UInt32) -> UInt32 {
    (checksum >> 15 | checksum << 17) &+ 0xA282_EAD8
  }

  private static func update(_ state: UInt32, bytes: UnsafeRawBufferPointer) -> UInt32 {
    tables.withUnsafeBufferPointer { table in
      var state = state
      var index = 0
      while index + 8 <= bytes.count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let low = UInt32(truncatingIfNeeded: word) ^ state
        let high = UInt32(truncatingIfNeeded: word >> 32)
        let first = table[1792 + Int(low & 0xFF)] ^ table[1536 + Int(low >> 8 & 0xFF)]
        let second = table[1280 + Int(low >> 16 & 0xFF)] ^ table[1024 + Int(low >> 24)]
        let third = table[768 + Int(high & 0xFF)] ^ table[512 + Int(high >> 8 & 0xFF)]
        let fourth = table[256 + Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
        state = first ^ second ^ third ^ fourth
        index += 8
      }
      while index < bytes.count {
        state = state >> 8 ^ table[Int((state ^ UInt32(bytes[index])) & 0xFF)]
        index += 1
      }
      return state
    }
  }
}
