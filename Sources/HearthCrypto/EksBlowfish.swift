/// Blowfish with the expensive key schedule of BCRYPT.
///
/// Niels Provos and David Mazières, "A Future-Adaptable Password Scheme", 1999.
struct EksBlowfish {
  /// 18 subkeys, and four tables of 256 words.
  private var state = PiDigits.words

  /// Prepares the cipher, which is the slow part: each step of the cost takes twice as long.
  /// The key is 18 words, the salt four.
  init(cost: Int, key: [UInt32], salt: [UInt32]) {
    let saltKey = key.indices.map { salt[$0 % 4] }
    let noSalt: [UInt32] = [0, 0, 0, 0]
    state.withUnsafeMutableBufferPointer { state in
      guard let state = state.baseAddress else { return }
      Self.expand(state, key: key, salt: salt)
      var round = 0
      while round < 1 << cost {
        Self.expand(state, key: key, salt: noSalt)
        Self.expand(state, key: saltKey, salt: noSalt)
        round &+= 1
      }
    }
  }

  /// Encrypts pairs of words, each `times` times.
  mutating func encrypt(_ words: [UInt32], times: Int) -> [UInt32] {
    var words = words
    state.withUnsafeMutableBufferPointer { state in
      guard let state = state.baseAddress else { return }
      for index in stride(from: 0, to: words.count, by: 2) {
        var (left, right) = (words[index], words[index + 1])
        for _ in 0..<times { Self.encrypt(state, left: &left, right: &right) }
        (words[index], words[index + 1]) = (left, right)
      }
    }
    return words
  }

  /// Mixes the key into the subkeys, and replaces the whole state by what it encrypts.
  private static func expand(
    _ state: UnsafeMutablePointer<UInt32>, key: [UInt32], salt: [UInt32]
  ) {
    for index in key.indices { state[index] ^= key[index] }
    let even = (salt[0], salt[1])
    let odd = (salt[2], salt[3])
    var (left, right): (UInt32, UInt32) = (0, 0)
    var index = 0
    while index < 1042 {
      let isEven = index & 2 == 0
      left ^= isEven ? even.0 : odd.0
      right ^= isEven ? even.1 : odd.1
      encrypt(state, left: &left, right: &right)
      state[index] = left
      state[index &+ 1] = right
      index &+= 2
    }
  }

  /// One block, in 16 rounds of which the loop does two.
  @inline(__always)
  private static func encrypt(
    _ state: UnsafeMutablePointer<UInt32>, left: inout UInt32, right: inout UInt32
  ) {
    let tables = state + 18
    var l = left ^ state[0]
    var r = right
    var round = 1
    while round < 17 {
      r ^= scramble(tables, word: l) ^ state[round]
      l ^= scramble(tables, word: r) ^ state[round &+ 1]
      round &+= 2
    }
    left = r ^ state[17]
    right = l
  }

  @inline(__always)
  private static func scramble(_ tables: UnsafeMutablePointer<UInt32>, word: UInt32) -> UInt32 {
    let first = tables[Int(word &>> 24)]
    let second = tables[Int(256 | (word &>> 16) & 0xFF)]
    let third = tables[Int(512 | (word &>> 8) & 0xFF)]
    let fourth = tables[Int(768 | word & 0xFF)]
    return ((first &+ second) ^ third) &+ fourth
  }
}
