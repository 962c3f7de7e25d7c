/// Reads bodies that clients have compressed: `gzip` (RFC 1952) and `deflate` (RFC 1950, and the
/// bare form that some send instead).
///
/// Our own, because the library for it wants zlib's headers on the machine that builds, and bodies
/// of this size need no speed.
package enum Inflate {
  package enum Failure: Error, Equatable {
    case damaged
    /// The bytes would be more than the limit.
    case tooLarge
  }

  package static func gzip(_ bytes: [UInt8], atMost limit: Int) throws(Failure) -> [UInt8] {
    var input = BitReader(bytes)
    guard try input.byte() == 0x1F, try input.byte() == 0x8B, try input.byte() == 8 else {
      throw .damaged
    }
    let flags = try input.byte()
    guard flags & 0xE0 == 0 else { throw .damaged }
    for _ in 0..<6 { _ = try input.byte() }
    if flags & 0x04 != 0 {
      let length = Int(try input.byte()) | Int(try input.byte()) << 8
      for _ in 0..<length { _ = try input.byte() }
    }
    // A name and a comment, each ended by a zero.
    for flag: UInt8 in [0x08, 0x10] where flags & flag != 0 {
      while try input.byte() != 0 {}
    }
    if flags & 0x02 != 0 { for _ in 0..<2 { _ = try input.byte() } }
    let output = try blocks(&input, atMost: limit)
    input.skipToByte()
    guard try input.number(bytes: 4) == crc32(output),
      try input.number(bytes: 4) == UInt32(truncatingIfNeeded: output.count)
    else { throw .damaged }
    return output
  }

  package static func deflate(_ bytes: [UInt8], atMost limit: Int) throws(Failure) -> [UInt8] {
    guard bytes.count >= 2, bytes[0] & 0x0F == 8,
      (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31), bytes[1] & 0x20 == 0
    else {
      var input = BitReader(bytes)
      return try blocks(&input, atMost: limit)
    }
    var input = BitReader(Array(bytes.dropFirst(2)))
    let output = try blocks(&input, atMost: limit)
    input.skipToByte()
    guard try input.number(bytes: 4).byteSwapped == adler32(output) else { throw .damaged }
    return output
  }

  // MARK: Blocks

  private static func blocks(
    _ input: inout BitReader, atMost limit: Int
  ) throws(Failure) -> [UInt8] {
    var output: [UInt8] = []
    var isLast = false
    while !isLast {
      isLast = try input.bits(1) == 1
      switch try input.bits(2) {
      case 0: try stored(&input, &output, limit)
      case 1: try compressed(&input, &output, fixedLiterals, fixedDistances, limit)
      case 2:
        let (literals, distances) = try codes(&input)
        try compressed(&input, &output, literals, distances, limit)
      default: throw .damaged
      }
    }
    return output
  }

  private static func stored(
    _ input: inout BitReader, _ output: inout [UInt8], _ limit: Int
  ) throws(Failure) {
    input.skipToByte()
    let length = try input.number(bytes: 2)
    guard try input.number(bytes: 2) == ~length & 0xFFFF else { throw .damaged }
    guard output.count + Int(length) <= limit else { throw .tooLarge }
    for _ in 0..<length { output.append(try input.byte()) }
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]

  private static func compressed(
    _ input: inout BitReader, _ output: inout [UInt8], _ literals: Huffman,
    _ distances: Huffman, _ limit: Int
  ) throws(Failure) {
    while true {
      let symbol = try literals.symbol(&input)
      switch symbol {
      case 0..<256:
        guard output.count < limit else { throw .tooLarge }
        output.append(UInt8(symbol))
      case 256: return
      case 257..<286:
        let length = lengthBases[symbol - 257] + Int(try input.bits(lengthBits[symbol - 257]))
        let code = try distances.symbol(&input)
        guard code < distanceBases.count else { throw .damaged }
        let distance = distanceBases[code] + Int(try input.bits(distanceBits[code]))
        guard distance <= output.count else { throw .damaged }
        guard output.count + length <= limit else { throw .tooLarge }
        // One by one: the copy may run into what it has just written.
        for _ in 0..<length { output.append(output[output.count - distance]) }
      default: throw .damaged
      }
    }
  }

  private static let fixedLiterals = Huffman(
    lengths: Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112)
      + Array(repeating: 7, count: 24) + Array(repeating: 8, count: 8))
  private static let fixedDistances = Huffman(lengths: Array(repeating: 5, count: 30))

  /// The order in which the lengths of the lengths' own codes stand.
  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private static func codes(
    _ input: inout BitReader
  ) throws(Failure) -> (literals: Huffman, distances: Huffman) {
    let literals = Int(try input.bits(5)) + 257
    let distances = Int(try input.bits(5)) + 1
    let count = Int(try input.bits(4)) + 4
    guard literals <= 286, distances <= 30 else { throw .damaged }
    var lengths = Array(repeating: 0, count: 19)
    for index in 0..<count { lengths[order[index]] = Int(try input.bits(3)) }
    let meta = Huffman(lengths: lengths)
    var all: [Int] = []
    while all.count < literals + distances {
      switch try meta.symbol(&input) {
      case let length where length < 16: all.append(length)
      case 16:
        guard let last = all.last else { throw .damaged }
        all += Array(repeating: last, count: 3 + Int(try input.bits(2)))
      case 17: all += Array(repeating: 0, count: 3 + Int(try input.bits(3)))
      default: all += Array(repeating: 0, count: 11 + Int(try input.bits(7)))
      }
    }
    guard all.count == literals + distances else { throw .damaged }
    return (
      Huffman(lengths: Array(all[..<literals])), Huffman(lengths: Array(all[literals...]))
    )
  }

  // MARK: Checksums

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return ~sum
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return high << 16 | low
  }
}

/// Canonical codes, by the number of codes of each length and the symbols in their order.
private struct Huffman: Sendable {
  private var counts = Array(repeating: 0, count: 16)
  private var symbols: [Int] = []

  init(lengths: [Int]) {
    for length in 1...15 {
      for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
    }
    for length in lengths where length > 0 { counts[length] += 1 }
  }

  func symbol(_ input: inout BitReader) throws(Inflate.Failure) -> Int {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      code |= Int(try input.bits(1))
      let count = counts[length]
      if code - count < first {
        let position = index + code - first
        guard position >= 0, position < symbols.count else { throw .damaged }
        return symbols[position]
      }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw .damaged
  }
}

/// Bits from the lowest of each byte on.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  private var buffer: UInt32 = 0
  private var available = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func bits(_ count: Int) throws(Inflate.Failure) -> UInt32 {
    while available < count {
      guard position < bytes.count else { throw .damaged }
      buffer |= UInt32(bytes[position]) << UInt32(available)
      position += 1
      available += 8
    }
    let value = buffer & ((1 << UInt32(count)) - 1)
    buffer >>= UInt32(count)
    available -= count
    return value
  }

  mutating func byte() throws(Inflate.Failure) -> UInt8 { UInt8(try bits(8)) }

  /// Little-endian.
  mutating func number(bytes count: Int) throws(Inflate.Failure) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<count { value |= UInt32(try byte()) << UInt32(8 * index) }
    return value
  }

  mutating func skipToByte() {
    buffer >>= UInt32(available % 8)
    available -= available % 8
  }
}
