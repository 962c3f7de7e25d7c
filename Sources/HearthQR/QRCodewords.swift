/// The bytes of a code: the text, and error correction.
struct QRCodewords {
  /// In the order in which they are placed.
  let interleaved: [UInt8]

  init(_ bytes: [UInt8], version: QRVersion, level: QRCode.Level) {
    let data = Self.padded(bytes, version: version, level: level)
    let blocks = version.blocks(level)
    // The later blocks are one codeword longer, if the data cannot be divided.
    let short = data.count / blocks.count
    let longBlocks = data.count % blocks.count
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    for index in 0..<blocks.count {
      let end = start + short + (index >= blocks.count - longBlocks ? 1 : 0)
      parts.append(data[start..<end])
      start = end
    }
    let divisor = ReedSolomon.divisor(of: blocks.correction)
    let corrections = parts.map { ReedSolomon.remainder(of: $0, by: divisor) }
    interleaved =
      Self.columns(of: parts.map(Array.init), count: short + 1)
      + Self.columns(of: corrections, count: blocks.correction)
  }

  /// The first of each part, the second of each, and so on.
  private static func columns(of parts: [[UInt8]], count: Int) -> [UInt8] {
    (0..<count).flatMap { index in parts.compactMap { index < $0.count ? $0[index] : nil } }
  }

  /// Mode, length and bytes, filled up to the capacity.
  private static func padded(
    _ bytes: [UInt8], version: QRVersion, level: QRCode.Level
  ) -> [UInt8] {
    var bits = BitWriter()
    bits.append(0b0100, count: 4)
    bits.append(bytes.count, count: version.countBits)
    for byte in bytes { bits.append(Int(byte), count: 8) }
    let capacity = version.dataCodewords(level)
    bits.append(0, count: min(4, capacity * 8 - bits.count))
    var data = bits.bytes
    for index in 0..<(capacity - data.count) { data.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }
    return data
  }
}

/// Bits in the order in which they are written, the highest of a byte first.
private struct BitWriter {
  /// The last byte is filled with zeros.
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  mutating func append(_ value: Int, count added: Int) {
    for shift in stride(from: added - 1, through: 0, by: -1) {
      if count.isMultiple(of: 8) { bytes.append(0) }
      if value >> shift & 1 == 1 { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
      count += 1
    }
  }
}

/// Error correction over the field of 256 elements that the standard takes.
private enum ReedSolomon {
  /// The coefficients after the first, which is 1, of the polynomial whose roots are powers of 2.
  static func divisor(of degree: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: degree)
    result[degree - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<degree {
      for index in 0..<degree {
        result[index] = product(result[index], root)
        if index + 1 < degree { result[index] ^= result[index + 1] }
      }
      root = product(root, 2)
    }
    return result
  }

  static func remainder(of data: ArraySlice<UInt8>, by divisor: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: divisor.count)
    for byte in data {
      let factor = byte ^ result.removeFirst()
      result.append(0)
      for index in divisor.indices { result[index] ^= product(divisor[index], factor) }
    }
    return result
  }

  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var result: UInt16 = 0
    for shift in stride(from: UInt8(7), through: 0, by: -1) {
      result = result << 1 ^ (result >> 7) * 0x11D
      result ^= UInt16(right >> shift & 1) * UInt16(left)
    }
    return UInt8(truncatingIfNeeded: result)
  }
}
