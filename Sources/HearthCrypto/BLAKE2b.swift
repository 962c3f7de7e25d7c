/// The hash of RFC 7693 without a key, of any length up to 64 bytes. OpenSSL has that of 64 only.
enum BLAKE2b {
  private static let start: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]

  private static let order: [[Int]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ]

  private static let places = [
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
  ]

  static func hash(_ input: [UInt8], length: Int) -> [UInt8] {
    var state = start
    state[0] ^= 0x0101_0000 ^ UInt64(length)
    var offset = 0
    while input.count - offset > 128 {
      compress(&state, block: input[offset..<offset + 128], count: offset + 128, isLast: false)
      offset += 128
    }
    compress(&state, block: input[offset...], count: input.count, isLast: true)
    return Array(state.flatMap(\.littleEndianBytes).prefix(length))
  }

  private static func compress(
    _ state: inout [UInt64], block: ArraySlice<UInt8>, count: Int, isLast: Bool
  ) {
    var words = [UInt64](repeating: 0, count: 16)
    for (index, byte) in block.enumerated() {
      words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
    }
    var v = state + start
    v[12] ^= UInt64(count)
    if isLast { v[14] = ~v[14] }
    for round in 0..<12 {
      let order = order[round % 10]
      for (step, place) in places.enumerated() {
        let (a, b, c, d) = place
        v[a] = v[a] &+ v[b] &+ words[order[2 * step]]
        v[d] = (v[d] ^ v[a]).rotated(32)
        v[c] = v[c] &+ v[d]
        v[b] = (v[b] ^ v[c]).rotated(24)
        v[a] = v[a] &+ v[b] &+ words[order[2 * step + 1]]
        v[d] = (v[d] ^ v[a]).rotated(16)
        v[c] = v[c] &+ v[d]
        v[b] = (v[b] ^ v[c]).rotated(63)
      }
    }
    for index in 0..<8 { state[index] ^= v[index] ^ v[index + 8] }
  }
}

extension UInt64 {
  /// Rotated to the right.
  @inline(__always)
  func rotated(_ bits: UInt64) -> UInt64 { self >> bits | self << (64 - bits) }

  var littleEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
