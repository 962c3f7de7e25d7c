/// The password hash of RFC 9106, for imported hashes.
package struct Argon2: Sendable {
  package enum Kind: UInt32, Sendable {
    case d, i, id
  }

  private let kind: Kind
  /// KiB.
  private let memory: Int
  private let iterations: Int
  private let lanes: Int
  /// 16 or 19, in which later passes add to a block.
  private let version: UInt32

  /// Nil for parameters that the RFC forbids, or that take more than 32 MiB or 16 passes.
  package init?(kind: Kind, memory: Int, iterations: Int, parallelism: Int, version: UInt32 = 19) {
    guard (1...16).contains(iterations), (1...16).contains(parallelism),
      (8 * parallelism...32_768).contains(memory), version == 16 || version == 19
    else { return nil }
    self.kind = kind
    self.memory = memory
    self.iterations = iterations
    lanes = parallelism
    self.version = version
  }

  /// The secret is a key that is not stored with the hash, and the data what else it depends on.
  package func derive(
    password: [UInt8], salt: [UInt8], secret: [UInt8] = [], data: [UInt8] = [], length: Int
  ) -> [UInt8] {
    var seed = [lanes, length, memory, iterations].flatMap { Self.bytes(UInt32($0)) }
    seed += Self.bytes(version) + Self.bytes(kind.rawValue)
    for part in [password, salt, secret, data] { seed += Self.bytes(UInt32(part.count)) + part }
    var filling = Filling(
      kind: kind, iterations: iterations, lanes: lanes,
      length: 4 * (memory / (4 * lanes)), addsToBlocks: version == 19)
    filling.begin(BLAKE2b.hash(seed, length: 64))
    filling.run()
    return Self.expand(filling.last.flatMap(\.littleEndianBytes), to: length)
  }

  fileprivate static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// The RFC's hash of any length.
  fileprivate static func expand(_ input: [UInt8], to length: Int) -> [UInt8] {
    let seed = bytes(UInt32(length)) + input
    guard length > 64 else { return BLAKE2b.hash(seed, length: length) }
    var block = BLAKE2b.hash(seed, length: 64)
    var output = Array(block.prefix(32))
    while length - output.count > 64 {
      block = BLAKE2b.hash(block, length: 64)
      output += block.prefix(32)
    }
    return output + BLAKE2b.hash(block, length: length - output.count)
  }
}

/// The memory of one derivation.
private struct Filling {
  let kind: Argon2.Kind
  let iterations: Int
  let lanes: Int
  /// Blocks of a lane.
  let length: Int
  let addsToBlocks: Bool
  private var words: [UInt64]

  private static let block = 128

  init(kind: Argon2.Kind, iterations: Int, lanes: Int, length: Int, addsToBlocks: Bool) {
    self.kind = kind
    self.iterations = iterations
    self.lanes = lanes
    self.length = length
    self.addsToBlocks = addsToBlocks
    words = [UInt64](repeating: 0, count: lanes * length * Self.block)
  }

  private var segment: Int { length / 4 }

  mutating func begin(_ seed: [UInt8]) {
    for lane in 0..<lanes {
      for column in 0..<2 {
        let bytes = Argon2.expand(
          seed + Argon2.bytes(UInt32(column)) + Argon2.bytes(UInt32(lane)), to: 1024)
        let offset = (lane * length + column) * Self.block
        for (index, byte) in bytes.enumerated() {
          words[offset + index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
        }
      }
    }
  }

  /// All lanes' last blocks, added.
  var last: [UInt64] {
    var sum = [UInt64](repeating: 0, count: Self.block)
    for lane in 0..<lanes {
      let offset = ((lane + 1) * length - 1) * Self.block
      for index in 0..<Self.block { sum[index] ^= words[offset + index] }
    }
    return sum
  }

  mutating func run() {
    for pass in 0..<iterations {
      for slice in 0..<4 {
        for lane in 0..<lanes { fill(pass, slice: slice, lane: lane) }
      }
    }
  }

  private mutating func fill(_ pass: Int, slice: Int, lane: Int) {
    let isIndependent = kind == .i || (kind == .id && pass == 0 && slice < 2)
    var addresses: [UInt64] = []
    var input = [UInt64](repeating: 0, count: Self.block)
    for (index, value) in [
      pass, lane, slice, lanes * length, iterations, Int(kind.rawValue),
    ].enumerated() {
      input[index] = UInt64(value)
    }
    for index in (pass == 0 && slice == 0 ? 2 : 0)..<segment {
      if isIndependent, addresses.isEmpty || index % Self.block == 0 {
        input[6] += 1
        addresses = Self.addresses(input)
      }
      let column = slice * segment + index
      let previous = lane * length + (column == 0 ? length - 1 : column - 1)
      let random = isIndependent ? addresses[index % Self.block] : words[previous * Self.block]
      let reference = reference(random, pass: pass, slice: slice, lane: lane, index: index)
      mix(previous, other: reference, into: lane * length + column, adds: addsToBlocks && pass > 0)
    }
  }

  private static func addresses(_ input: [UInt64]) -> [UInt64] {
    let zero = [UInt64](repeating: 0, count: block)
    return Compression.mixed(zero, Compression.mixed(zero, input))
  }

  /// The block that a random number points at.
  private func reference(
    _ random: UInt64, pass: Int, slice: Int, lane: Int, index: Int
  ) -> Int {
    let other = pass == 0 && slice == 0 ? lane : Int((random >> 32) % UInt64(lanes))
    let done = pass == 0 ? slice * segment : length - segment
    let area = UInt64(other == lane ? done + index - 1 : done - (index == 0 ? 1 : 0))
    let low = random & 0xffff_ffff
    // Shifts bind more tightly than products.
    let position = area - 1 - ((area * ((low * low) >> 32)) >> 32)
    let start = pass == 0 || slice == 3 ? 0 : (slice + 1) * segment
    return other * length + (start + Int(position)) % length
  }

  private mutating func mix(_ one: Int, other: Int, into target: Int, adds: Bool) {
    words.withUnsafeMutableBufferPointer { words in
      var scratch = (0..<Self.block).map {
        words[one * Self.block + $0] ^ words[other * Self.block + $0]
      }
      let before = scratch
      scratch.withUnsafeMutableBufferPointer { Compression.permute($0) }
      let offset = target * Self.block
      for index in 0..<Self.block {
        let mixed = scratch[index] ^ before[index]
        words[offset + index] = adds ? words[offset + index] ^ mixed : mixed
      }
    }
  }
}

/// The compression of two blocks into one.
private enum Compression {
  static func mixed(_ one: [UInt64], _ other: [UInt64]) -> [UInt64] {
    let before = zip(one, other).map { $0 ^ $1 }
    var scratch = before
    scratch.withUnsafeMutableBufferPointer { permute($0) }
    return zip(scratch, before).map { $0 ^ $1 }
  }

  /// Eight rows, then eight columns of pairs.
  static func permute(_ v: UnsafeMutableBufferPointer<UInt64>) {
    for row in 0..<8 { round(v) { 16 * row + $0 } }
    for column in 0..<8 { round(v) { 2 * column + 16 * ($0 / 2) + $0 % 2 } }
  }

  @inline(__always)
  private static func round(
    _ v: UnsafeMutableBufferPointer<UInt64>, place: (Int) -> Int
  ) {
    quarter(v, a: place(0), b: place(4), c: place(8), d: place(12))
    quarter(v, a: place(1), b: place(5), c: place(9), d: place(13))
    quarter(v, a: place(2), b: place(6), c: place(10), d: place(14))
    quarter(v, a: place(3), b: place(7), c: place(11), d: place(15))
    quarter(v, a: place(0), b: place(5), c: place(10), d: place(15))
    quarter(v, a: place(1), b: place(6), c: place(11), d: place(12))
    quarter(v, a: place(2), b: place(7), c: place(8), d: place(13))
    quarter(v, a: place(3), b: place(4), c: place(9), d: place(14))
  }

  @inline(__always)
  private static func quarter(
    _ v: UnsafeMutableBufferPointer<UInt64>, a: Int, b: Int, c: Int, d: Int
  ) {
    v[a] = sum(v[a], v[b])
    v[d] = (v[d] ^ v[a]).rotated(32)
    v[c] = sum(v[c], v[d])
    v[b] = (v[b] ^ v[c]).rotated(24)
    v[a] = sum(v[a], v[b])
    v[d] = (v[d] ^ v[a]).rotated(16)
    v[c] = sum(v[c], v[d])
    v[b] = (v[b] ^ v[c]).rotated(63)
  }

  @inline(__always)
  private static func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
    a &+ b &+ 2 &* (a & 0xffff_ffff) &* (b & 0xffff_ffff)
  }
}
